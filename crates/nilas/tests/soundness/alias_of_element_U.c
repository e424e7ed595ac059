// expect: unsafe
extern void reach_error(void);
int table[3] = { 1, 2, 3 }; extern int first __attribute__((unused, alias("table")));
int main(void) { if (table[2] == 3) reach_error(); return 0; }
