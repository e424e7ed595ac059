// never: safe
extern void reach_error(void);
int main(void) { char *p = __builtin_alloca(4); long *q = __builtin_alloca(80 * sizeof(long)); p[3] = 1; q[79] = 2; if (p[3] == 1 && q[79] == 2) reach_error(); return 0; }
