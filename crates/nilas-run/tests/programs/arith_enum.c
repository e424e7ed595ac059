#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum E {
    A,B=5,C,D=-2,F
};
int main(void) {
    enum E e=C;
    printf("%d %d %d %d %d %d\n",A,B,C,D,F,e);
    e=(enum E)3;
    switch(e) {
        case A: puts("A");
        break;
        default: puts("other");
    }
    return F+2;
}
