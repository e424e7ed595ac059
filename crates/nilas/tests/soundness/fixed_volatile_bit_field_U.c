// expect: unsafe
// options: --32
extern void reach_error(void);
struct r { volatile unsigned a:3; volatile int b:4; };
#define R ((struct r*)0x40001000)
int main(void){ if (R->a == 7 && R->b == -8) reach_error(); return 0; }
