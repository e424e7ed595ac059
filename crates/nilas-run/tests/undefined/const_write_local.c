// expect: const-write
int main(void) { const int a[2] = {1, 2}; int *p = (int *)a; p[1] = 3; return a[1]; }
