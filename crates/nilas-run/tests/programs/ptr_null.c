#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char*p=0;
    printf("%d %d %d\n",!p,p==(void*)0,p==NULL);
    int(*f)(void)=0;
    printf("%d\n",f?1:0);
    return 0;
}
