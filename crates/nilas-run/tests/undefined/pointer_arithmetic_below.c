// expect: pointer-arithmetic with strict
int main(void) { int a[3] = {1, 2, 3}, *p = a; p--; return p[1]; }
