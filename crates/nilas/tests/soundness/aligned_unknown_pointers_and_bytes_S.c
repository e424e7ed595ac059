// expect: safe
// options: --engine ic3cfa
extern void reach_error(void); extern int *q,*r; extern char *c; int main(void){ if(!q||!r||!c) return 0; *c=3; *q=1; *r=0x02020202; if(q!=r && *q!=1) reach_error(); return 0; }
