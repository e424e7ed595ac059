#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    printf("[%s][%10s][%-10s][%.2s][%10.2s]\n","abc","abc","abc","abc","abc");
    printf("[%c][%3c][%-3c]\n",'x','y','z');
    printf("%%|%*d|%-*d|%.*f\n",5,3,5,3,2,3.14159);
    int n;
    printf("abc%n def\n",&n);
    printf("%d\n",n);
    return 0;
}
