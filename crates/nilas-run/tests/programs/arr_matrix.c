#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    int a[3][3],b[3][3],c[3][3]={{0}};
    for(int i=0;i<3;i++)for(int j=0;j<3;j++) {
        a[i][j]=i+j;
        b[i][j]=i*j+1;
    }
    for(int i=0;i<3;i++)for(int j=0;j<3;j++)for(int k=0;k<3;k++)c[i][j]+=a[i][k]*b[k][j];
    for(int i=0;i<3;i++) {
        for(int j=0;j<3;j++)printf("%d ",c[i][j]);
        puts("");
    }
    return 0;
}
