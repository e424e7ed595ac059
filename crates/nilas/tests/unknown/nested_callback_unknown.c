// unknown
void reach_error(void); void f(void (*)(void)); void g(void); int n; void cb(void) { n++; g(); n--; }
int main(void){ f(cb); if (n > 1) reach_error(); return 0; }
