#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int n,c[8];
int ok(int r) {
    for(int i=0;i<r;i++)if(c[i]==c[r]||c[i]-c[r]==i-r||c[i]-c[r]==r-i)return 0;
    return 1;
}
void q(int r,int k) {
    if(r==k) {
        n++;
        return;
    }
    for(c[r]=0;c[r]<k;c[r]++)if(ok(r))q(r+1,k);
}
int main(void) {
    q(0,6);
    printf("%d\n",n);
    return n;
}
