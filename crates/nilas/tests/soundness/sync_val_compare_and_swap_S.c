// never: unsafe
extern void reach_error(void);
int main(void) { short x = -2; if (__sync_val_compare_and_swap(&x, -2, 40) != -2 || x != 40) reach_error(); if (__sync_val_compare_and_swap(&x, 1, 2) != 40 || x != 40) reach_error(); return 0; }
