// expect: const-write
const int x = 5;
int main(void) { *(int *)&x = 6; return x; }
