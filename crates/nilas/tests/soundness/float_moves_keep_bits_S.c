// never: unsafe
#include <string.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
float id(float x){ return x; }
struct S { int a; float f; };
int main(void){ unsigned u = __VERIFIER_nondet_uint(), v; float f; memcpy(&f,&u,4); struct S s, t; s.f = id(f); t = s; float g = t.f; memcpy(&v,&g,4); if (u != v) reach_error(); return 0;}
