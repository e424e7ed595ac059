// expect: signed-overflow with overflow
int main(void) { int a = 2147483647; a += 1; return a; }
