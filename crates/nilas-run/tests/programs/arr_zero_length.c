#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct Z {
    int n;
    int a[0];
};
int main(void) {
    printf("%d\n",(int)sizeof(struct Z));
    struct Z*z=malloc(sizeof*z+8);
    z->a[0]=4;
    z->a[1]=5;
    printf("%d\n",z->a[0]+z->a[1]);
    free(z);
    return 0;
}
