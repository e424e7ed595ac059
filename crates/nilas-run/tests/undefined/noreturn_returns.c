// expect: noreturn-returns
_Noreturn void f(int x) { if (x) for (;;) ; }
int main(void) { f(0); return 0; }
