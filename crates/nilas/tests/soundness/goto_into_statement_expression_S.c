// never: unsafe
extern void reach_error(void);
int main(void) { void *p = &&in; int i = 0; if (i == 0) goto *p; i = ({ in: i = 5; i; }); if (i == 5) reach_error(); return 0; }
