// expect: unsequenced-conflict
int main(void) { int i = 0, a[3] = {0}; a[i] = i++; return a[0]; }
