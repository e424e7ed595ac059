#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void rev(char*s,char*e) {
    while(s<--e) {
        char t=*s;
        *s++=*e;
        *e=t;
    }
}
int main(void) {
    char s[]="the quick fox";
    rev(s,s+strlen(s));
    char*w=s;
    for(char*p=s;;p++) if(*p==' '||!*p) {
        rev(w,p);
        if(!*p)break;
        w=p+1;
    }
    puts(s);
    return 0;
}
