// expect: unsafe
#include <stdio.h>
extern void reach_error(void);
int main(){ FILE*f=fopen("a","r"); if(!f) return 1; int x=0; if(fscanf(f,"%d",&x)==1 && x==42) reach_error(); fclose(f); return 0;}
