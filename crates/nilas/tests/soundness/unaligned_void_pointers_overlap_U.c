// never: safe
// options: --engine ic3cfa
extern void reach_error(void); extern void *f(void); int main(void){ int *q=f(); int*r=f(); if(!q||!r) return 0; *q=1; *r=0x02020202; if(q!=r && *q!=1) reach_error(); return 0; }
