// unknown
void reach_error(void); void *malloc(unsigned long); void f(int *);
int main(void){ int *p = malloc(4); *p = 1; f(p); if (*p == 5) reach_error(); return 0; }
