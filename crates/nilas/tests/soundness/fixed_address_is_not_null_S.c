// never: unsafe
extern void reach_error(void);
int main(void) { int *p = (int *)16; if (!p) reach_error(); if (p != (int *)16) reach_error(); return 0; }
