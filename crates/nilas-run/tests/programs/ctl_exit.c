#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void bye(void) {
    puts("bye");
}
void bye2(void) {
    puts("bye2");
}
int main(void) {
    atexit(bye);
    atexit(bye2);
    puts("hi");
    exit(5);
}
