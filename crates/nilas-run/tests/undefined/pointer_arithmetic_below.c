// expect: pointer-arithmetic with undefined
int main(void) { int a[3] = {1, 2, 3}, *p = a; p--; return p[1]; }
