#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int a[3][2]={{1},{2,3}};
char s[5]="abc";
int main(void) {
    int b[4]={1,2};
    printf("%d %d %d %d %d %d\n",a[0][1],a[1][1],a[2][0],b[2],s[3],s[4]);
    char t[3]="abc";
    printf("%c%c%c\n",t[0],t[1],t[2]);
    return 0;
}
