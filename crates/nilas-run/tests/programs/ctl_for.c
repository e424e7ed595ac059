#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    int s=0;
    for(int i=0;i<10;i++) for(int j=i;j<10;j+=2) {
        if(j==7) break;
        s+=i*j;
    }
    printf("%d\n",s);
    for(;;) break;
    return 0;
}
