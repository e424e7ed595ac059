// never: safe
extern void reach_error(void);
extern volatile unsigned *registers(void);
int main(void) { volatile unsigned *r = registers(); if (r) { unsigned a = r[1]; unsigned b = r[1]; if (a != b) reach_error(); } return 0; }
