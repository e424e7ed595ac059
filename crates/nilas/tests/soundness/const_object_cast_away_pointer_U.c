// never: safe
extern void reach_error(void);
int x; int *const p = &x; int *const *const pp = &p;
int main(void) { **pp = 3; if (x == 3) reach_error(); return 0; }
