#include <stdio.h>
#include <stdlib.h>
#include <string.h>
const char*p;
int expr(void);
int atom(void) {
    if(*p=='(') {
        p++;
        int v=expr();
        p++;
        return v;
    }
    int v=0;
    while(*p>='0'&&*p<='9')v=v*10+*p++-'0';
    return v;
}
int term(void) {
    int v=atom();
    while(*p=='*'||*p=='/') {
        char o=*p++;
        int r=atom();
        v=o=='*'?v*r:v/r;
    }
    return v;
}
int expr(void) {
    int v=term();
    while(*p=='+'||*p=='-') {
        char o=*p++;
        int r=term();
        v=o=='+'?v+r:v-r;
    }
    return v;
}
int main(void) {
    p="2*(3+4)-10/2";
    printf("%d\n",expr());
    p="((7))*6";
    printf("%d\n",expr());
    return 0;
}
