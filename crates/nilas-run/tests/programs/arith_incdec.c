#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    int a=5;
    int b=a++ + 10;
    int c=++a;
    int d=a--;
    int e=--a;
    printf("%d %d %d %d %d\n",a,b,c,d,e);
    int arr[3]={1,2,3},*p=arr;
    printf("%d ",*p++);
    printf("%d ",*++p);
    printf("%d\n",(int)(p-arr));
    return 0;
}
