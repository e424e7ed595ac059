// expect: missing-return-value with strict
int f(int x) { if (x) return 1; }
int main(void) { return f(0); }
