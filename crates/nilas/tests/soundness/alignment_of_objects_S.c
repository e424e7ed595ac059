// never: unsafe
extern void reach_error(void);
int x; long long y;
int main(void) { if ((unsigned long)&x % _Alignof(int) != 0) reach_error(); return 0; }
