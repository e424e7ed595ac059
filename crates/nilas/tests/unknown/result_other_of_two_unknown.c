// unknown
void reach_error(void); int *id(int *);
int main(void){ int x = 1, y = 2; id(&x); int *p = id(&y); if (p == &x) reach_error(); return 0; }
