// never: safe
extern void reach_error(void);
int main(void) { int x = 2, *p = ({ int *q = &x; q; }); *p += ({ int y = 3; y * 2; }); if (x == 8) reach_error(); return 0; }
