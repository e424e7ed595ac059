#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int x=1;
int main(void) {
    int y=x;
    int x=2;
    {
        int x=3;
        y+=x;
    }
    y+=x;
    printf("%d\n",y);
    {
        extern int x;
        y+=x;
    }
    printf("%d\n",y);
    for(int x=0;x<2;x++)y+=x;
    return y;
}
