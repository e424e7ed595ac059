// expect: shift-overflow with overflow
int main(void) { int a = 1; return (a << 31) != 0; }
