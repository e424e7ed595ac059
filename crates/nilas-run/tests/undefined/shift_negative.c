// expect: shift-too-far
int main(void) { int n = -1; return 1 >> n; }
