// never: safe
// options: --engine ic3cfa --32
extern void reach_error(void); struct s {int tag; union { int i; int *p;} u; }; extern struct s*q; extern int f(void); int main(void){ if(!q) return 0; int x=f(); q->u.i = x; int *p=q->u.p; if(x==0x5000) reach_error(); return 0; }
