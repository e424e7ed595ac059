// expect: unsafe
// options: --engine ic3cfa
extern void reach_error(void); extern unsigned short *q; int main(void){ if(!q) return 0; unsigned long a=(unsigned long)q; a|=1; unsigned short *r=(unsigned short*)a; *r=7; if(*r==7) reach_error(); return 0; }
