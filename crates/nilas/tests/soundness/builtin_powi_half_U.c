// never: safe
extern void reach_error(void);
int main(void){ if(__builtin_powi(0.5,1)==0.5) reach_error(); return 0; }
