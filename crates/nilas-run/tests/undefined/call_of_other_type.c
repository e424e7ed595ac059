// expect: call-of-other-type with strict
int f(int a) { return a; }
int main(void) { int (*g)(int, int) = (int (*)(int, int))f; return g(1, 2); }
