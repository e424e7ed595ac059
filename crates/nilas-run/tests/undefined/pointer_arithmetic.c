// expect: pointer-arithmetic with strict
int main(void) { int a[3], *p = a; int n = 5; p += n; return p == a; }
