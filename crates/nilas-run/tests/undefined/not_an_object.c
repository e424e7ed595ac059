// expect: not-an-object
int f(void) { return 1; }
int main(void) { return *(unsigned char *)f; }
