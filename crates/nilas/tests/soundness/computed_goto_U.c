// never: safe
extern void reach_error(void);
int main(void) { static void *const code[] = { &&a, &&b }; int k = 0, i = 0; goto *code[1]; a: k++; if (k == 2) reach_error(); return 0; b: k++; goto *code[i]; }
