// unsafe
void reach_error(void); struct r { int *p; int k; }; struct r f(int *);
int main(void){ int x = 0; struct r r = f(&x); if (r.k == 77) reach_error(); return 0; }
