// safe
void reach_error(void); void die(int *) __attribute__((noreturn));
int main(void){ int x = 1; die(&x); reach_error(); return 0; }
