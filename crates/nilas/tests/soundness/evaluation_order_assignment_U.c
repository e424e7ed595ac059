// never: safe
extern void reach_error(void);
static int i, a[2]; static int next(void) { return i++; }
static int one(void) { i = 1; return 5; }
int main(void) { a[i] = one(); if (a[0] == 5 || a[1] == 5) reach_error(); return 0; }
