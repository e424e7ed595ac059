#include <stdio.h>
#include <stdlib.h>
#include <string.h>
_Noreturn void die(int c) {
    printf("die %d\n",c);
    exit(c);
}
int main(void) {
    die(3);
}
