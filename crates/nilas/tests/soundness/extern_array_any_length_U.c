// never: safe
extern void reach_error(void);
extern int table[];
int main(void) { table[70] = 4; if (table[70] == 4) reach_error(); return 0; }
