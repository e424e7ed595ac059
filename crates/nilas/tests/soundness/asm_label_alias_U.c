// never: safe
extern void reach_error(void);
int g; extern void oldf(void) __asm__("newf"); void impl(void){ g=1; } void newf(void) __attribute__((alias("impl"))); int main(void){ oldf(); if(g==1) reach_error(); return 0; }
