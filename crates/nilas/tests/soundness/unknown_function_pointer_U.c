// never: safe
// options: --unknown-functions nothing
extern void reach_error(void);
typedef int (*operation)(int);
extern operation find(void); int n;
int main(void) { operation f = find(); if (f && f(n++) == 5 && n == 1) reach_error(); return 0; }
