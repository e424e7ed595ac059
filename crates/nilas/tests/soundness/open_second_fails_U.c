// expect: unsafe
#include <fcntl.h>
#include <unistd.h>
#include <stdio.h>
extern void reach_error(void);
int main(){ int a=open("a",O_RDONLY); if(a<0) return 1; int b=open("b",O_RDWR|O_CREAT,0600); if(b<0) reach_error(); close(a); close(b); return 0;}
