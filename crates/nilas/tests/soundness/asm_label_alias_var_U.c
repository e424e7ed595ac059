// never: safe
extern void reach_error(void);
int impl=5; extern int newv __attribute__((alias("impl"))); extern int oldv __asm__("newv"); int main(void){ oldv=3; if(impl==3) reach_error(); return 0; }
