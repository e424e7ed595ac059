// expect: index-out-of-array with undefined
int a[3][3];
int main(void) { int i = 3; int *end = &a[0][i]; return end == a[1] ? a[0][i] : 1; }
