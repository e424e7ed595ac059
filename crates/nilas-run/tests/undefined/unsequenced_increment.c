// expect: unsequenced-conflict
int main(void) { int i = 1; i = i++ + 1; return i; }
