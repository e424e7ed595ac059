// never: safe
extern void reach_error(void);
extern volatile int status;
int main(void) { int a = status, b = status; if (a != b) reach_error(); return 0; }
