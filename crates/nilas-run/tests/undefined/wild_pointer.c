// expect: wild-pointer with strict
int main(void) { int *p = (int *)0x12345678; return *p; }
