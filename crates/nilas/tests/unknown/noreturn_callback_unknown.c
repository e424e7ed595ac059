// unknown
void reach_error(void); void cb(void) { reach_error(); } void die(void (*)(void)) __attribute__((noreturn));
int main(void){ die(cb); return 0; }
