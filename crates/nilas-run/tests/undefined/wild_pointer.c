// expect: wild-pointer
int main(void) { int *p = (int *)0x12345678; return *p; }
