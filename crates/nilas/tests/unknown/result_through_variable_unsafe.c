// unsafe
void reach_error(void); int *id(int *); int nd(void);
int main(void){ int x = 1, y = 2; int *q = nd() ? &x : &y; int *p = id(q); if (p && p == q && p == &y) reach_error(); return 0; }
