#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    const char*s="if (x1 >= 42) y = 'c'; // end";
    while(*s) {
        if(*s==' ') {
            s++;
            continue;
        }
        const char*b=s;
        if((*s>='a'&&*s<='z')||*s=='_') {
            while((*s>='a'&&*s<='z')||(*s>='0'&&*s<='9'))s++;
            printf("I(%.*s) ",(int)(s-b),b);
        }  else if(*s>='0'&&*s<='9') {
            int v=0;
            while(*s>='0'&&*s<='9')v=v*10+*s++-'0';
            printf("N(%d) ",v);
        }  else if(s[0]=='/'&&s[1]=='/')break;
        else printf("P(%c) ",*s++);
    }
    puts("");
    return 0;
}
