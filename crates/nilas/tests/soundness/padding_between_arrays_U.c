// never: safe
// options: --engine ic3cfa
extern void reach_error(void); extern int f(void); struct {short a[3]; int b[4];} s; int main(void){ int i=f(); if(i!=1) return 0; *((short*)((int*)&s + i) + 1) = 7; reach_error(); return 0; }
