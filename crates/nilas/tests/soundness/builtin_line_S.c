// never: unsafe
extern void reach_error(void);
int main(void){ if(__builtin_LINE()!=2) reach_error(); return 0; }
