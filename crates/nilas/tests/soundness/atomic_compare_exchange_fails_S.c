// never: unsafe
extern void reach_error(void);
int main(void) { int x = 3, e = 4; if (__atomic_compare_exchange_n(&x, &e, 9, 0, 5, 5)) reach_error(); if (e != 3 || x != 3) reach_error(); return 0; }
