// never: unsafe
extern void reach_error(void);
extern int oldf(void) __asm__("newf"); int impl(void){return 1;} int newf(void) __attribute__((alias("impl"))); int main(void){ if(oldf()!=1) reach_error(); return 0; }
