// never: safe
extern void reach_error(void);
#pragma weak hook
extern void hook(void);
int main(void) { if (!hook) reach_error(); return 0; }
