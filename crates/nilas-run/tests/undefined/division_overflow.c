// expect: division-overflow
int main(void) { int a = -2147483647 - 1, b = -1; return a / b; }
