#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int odd(int);
int even(int n) {
    return n==0?1:odd(n-1);
}
int odd(int n) {
    return n==0?0:even(n-1);
}
int main(void) {
    printf("%d %d\n",even(10),odd(7));
    return even(3);
}
