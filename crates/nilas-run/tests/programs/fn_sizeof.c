#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    int a[5];
    printf("%d %d %d %d\n",(int)sizeof a,(int)sizeof(a+0)==(int)sizeof(int*),(int)sizeof(long),(int)sizeof(void*));
    int i=1;
    printf("%d %d\n",(int)sizeof(i++),i);
    printf("%d\n",(int)sizeof(struct{char c;short s;}));
    return 0;
}
