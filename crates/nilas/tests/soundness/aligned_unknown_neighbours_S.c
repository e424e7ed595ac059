// expect: safe
// options: --engine ic3cfa
extern void reach_error(void); extern int *q; int main(void){ if(!q) return 0; int *r=q+1; *q=0; *r=0x01010101; if(*q!=0) reach_error(); return 0; }
