// never: unsafe
#include <stdio.h>
#include <sys/stat.h>
extern void reach_error(void);
int main(){ if (mkdir("x",0700)==0 && mkdir("x",0700)==0) reach_error();  return 0;}
