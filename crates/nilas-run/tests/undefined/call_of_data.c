// expect: call-of-no-function
int main(void) { int x = 3; int (*f)(void) = (int (*)(void))(void *)&x; return f(); }
