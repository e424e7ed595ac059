// expect: unsafe
// options: --engine ic3cfa
extern void reach_error(void); extern int *q; extern int k(void); int main(void){ if(!q) return 0; int i=k(); if(i<0||i>3) return 0; int *r=(int*)((char*)q+i); *q=0; *r=0x01010101; if(*q!=0 && *q!=0x01010101) reach_error(); return 0; }
