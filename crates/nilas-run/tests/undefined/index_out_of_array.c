// expect: index-out-of-array with undefined
struct S { int a[2]; int b[2]; };
int main(void) { struct S s = {{1, 2}, {3, 4}}; int i = 3; return s.a[i]; }
