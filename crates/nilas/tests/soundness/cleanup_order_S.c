// never: unsafe
extern void reach_error(void);
static int order;
static void done(int *p) { order = order * 10 + *p; }
static void f(void) { int a __attribute__((cleanup(done))) = 1; int b __attribute__((cleanup(done))) = 2; }
int main(void) { f(); if (order != 21) reach_error(); return 0; }
