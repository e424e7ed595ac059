// never: unsafe
extern void reach_error(void);
int main(void){ if(__builtin_speculation_safe_value(4)!=4) reach_error(); return 0; }
