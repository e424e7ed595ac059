// unsafe
void reach_error(void); extern int x, *p;
int main(void){ if (p == &x) { x = 1; *p = 2; if (x == 2) reach_error(); } return 0; }
