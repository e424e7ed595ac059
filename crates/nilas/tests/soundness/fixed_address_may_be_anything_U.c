// never: safe
extern void reach_error(void);
int main(void) { volatile int *port = (volatile int *)0x4000; if (*port == 3) reach_error(); return 0; }
