// unknown
void reach_error(void); void cb(void) { reach_error(); } void f(void (*)(void));
int main(void){ f(cb); return 0; }
