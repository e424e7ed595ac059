#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char b[20]="abc";
    int i=strlen(b);
    b[i++]='d';
    b[i]=0;
    for(char*p=b;*p;p++)*p-=32;
    puts(b);
    char r[20];
    int n=strlen(b);
    for(int j=0;j<n;j++)r[j]=b[n-1-j];
    r[n]=0;
    puts(r);
    return 0;
}
