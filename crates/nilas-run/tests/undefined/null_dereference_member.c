// expect: null-dereference
struct S { int a, b; };
int main(void) { struct S *p = 0; p->b = 3; return 0; }
