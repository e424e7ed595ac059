// expect: call-of-no-function
int main(void) { int (*f)(void) = 0; return f(); }
