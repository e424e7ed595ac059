#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    for(int i=0;i<5;i++) {
        if(i==0) puts("zero");
        else if(i%2) puts("odd");
        else puts("even");
    }
    return 0;
}
