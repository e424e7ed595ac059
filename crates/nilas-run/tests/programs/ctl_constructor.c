#include <stdio.h>
#include <stdlib.h>
#include <string.h>
__attribute__((constructor)) void before(void) {
    puts("before");
}
__attribute__((destructor)) void after(void) {
    puts("after");
}
int main(void) {
    puts("main");
    return 2;
}
