// expect: pointer-comparison with undefined
int main(void) { int a, b; return &a < &b; }
