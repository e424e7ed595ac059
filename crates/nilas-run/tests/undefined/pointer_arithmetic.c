// expect: pointer-arithmetic with undefined
int main(void) { int a[3], *p = a; int n = 5; p += n; return p == a; }
