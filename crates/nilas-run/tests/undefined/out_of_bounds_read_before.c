// expect: out-of-bounds-read
int main(void) { int a[3] = {1, 2, 3}; int i = -1; return a[i]; }
