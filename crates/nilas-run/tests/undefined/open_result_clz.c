// expect: open-result with strict
int main(void) { unsigned n = 0; return __builtin_clz(n); }
