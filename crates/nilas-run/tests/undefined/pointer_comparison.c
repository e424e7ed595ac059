// expect: pointer-comparison with strict
int main(void) { int a, b; return &a < &b; }
