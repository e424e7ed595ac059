// never: unsafe
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void) __attribute__((noreturn));
#include <stdio.h>
int main(){ FILE*f=tmpfile(); if(!f) return 0; if(fputc('a',f)!='a') return 0; rewind(f); int c=fgetc(f); if(c!='a'&&c!=EOF) reach_error(); return 0;}
