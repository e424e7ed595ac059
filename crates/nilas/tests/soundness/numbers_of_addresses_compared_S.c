// expect: safe
extern void reach_error(void);
int a[4], b;
int main(void) { unsigned long u = (unsigned long)a; u += 8; if (u != (unsigned long)&a[2] || (unsigned long)a == (unsigned long)&b) reach_error(); return 0; }
