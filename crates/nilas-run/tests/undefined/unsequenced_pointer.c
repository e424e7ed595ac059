// expect: unsequenced-conflict
int main(void) { int x = 0, *p = &x; return x++ + (*p = 5); }
