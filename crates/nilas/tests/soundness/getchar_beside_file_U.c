// expect: unsafe
#include <stdio.h>
extern void reach_error(void);
int main(){ FILE*o=fopen("o","w"); if(!o) return 1; int c; while((c=getchar())!=EOF) if(c=='x') reach_error(); else fputc(c,o); fclose(o); return 0;}
