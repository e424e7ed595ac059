// never: safe
extern void reach_error(void);
int a[3] = { 1, 2, 3 }; extern int b[3] __asm__("a");
int main(void) { b[2] = 9; if (a[2] == 9) reach_error(); return 0; }
