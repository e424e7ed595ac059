#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    int i=0;
    top: i++;
    if(i<5) goto top;
    for(int j=0;j<3;j++) {
        for(int k=0;k<3;k++) {
            if(j*k==2) goto out;
            printf("%d%d ",j,k);
        }
    }
    out: printf("| %d\n",i);
    goto in;
    {
        int z;
        in: z=9;
        printf("%d\n",z);
    }
    return 0;
}
