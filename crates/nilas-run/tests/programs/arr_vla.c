#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int sum(int n,int a[n]) {
    int s=0;
    for(int i=0;i<n;i++)s+=a[i];
    return s;
}
int main(void) {
    for(int n=1;n<4;n++) {
        int a[n];
        for(int i=0;i<n;i++)a[i]=i+1;
        printf("%d %d\n",(int)sizeof a,sum(n,a));
    }
    int m=3,k=4;
    int b[m][k];
    for(int i=0;i<m;i++)for(int j=0;j<k;j++)b[i][j]=i*10+j;
    int(*p)[k]=b;
    printf("%d %d\n",p[2][3],(int)sizeof(b[0]));
    return 0;
}
