// never: safe
extern void reach_error(void);
int main(void){ double a=1.5; if(__builtin_assoc_barrier(a)==1.5) reach_error(); return 0; }
