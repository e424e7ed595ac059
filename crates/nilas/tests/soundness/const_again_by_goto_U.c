// never: safe
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main() { int i = 0;
again:;
    const int c = i + 1; const struct { int a; } s = { i };
    if (i++ < 2) goto again;
    if (c == 3 && s.a == 2) reach_error(); return 0; }
