// expect: misaligned-access with strict
int main(void) { int a[2] = {1, 2}; char *c = (char *)a; int *p = (int *)(c + 1); return *p & 1; }
