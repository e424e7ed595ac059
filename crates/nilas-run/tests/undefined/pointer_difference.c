// expect: pointer-difference with strict
int main(void) { int a[2], b[2]; return &a[0] - &b[0] > 0; }
