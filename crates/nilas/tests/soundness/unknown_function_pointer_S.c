// expect: safe
// options: --unknown-functions nothing
extern void reach_error(void);
typedef int (*operation)(int);
extern operation find(void); int g = 1;
int main(void) { operation f = find(); if (f) f(2); if (g != 1) reach_error(); return 0; }
