// never: safe
extern void reach_error(void);
extern int option __attribute__((weak));
int main(void) { if (&option == 0) reach_error(); return 0; }
