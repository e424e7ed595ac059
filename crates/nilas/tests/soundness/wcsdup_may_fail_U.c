// never: safe
// options: --malloc-may-fail
extern void reach_error(void);
extern int *wcsdup(const int *);
int main(void) { int *p = wcsdup(L"a"); if (!p) reach_error(); return 0; }
