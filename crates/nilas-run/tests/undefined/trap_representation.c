// expect: trap-representation with strict
int main(void) { unsigned char c = 2; _Bool b; *(unsigned char *)&b = c; return b; }
