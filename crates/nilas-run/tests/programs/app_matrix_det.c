#include <stdio.h>
#include <stdlib.h>
#include <string.h>
double det(int n,double a[n][n]) {
    double d=1;
    for(int i=0;i<n;i++) {
        int p=i;
        for(int r=i+1;r<n;r++)if((a[r][i]<0?-a[r][i]:a[r][i])>(a[p][i]<0?-a[p][i]:a[p][i]))p=r;
        if(a[p][i]==0)return 0;
        if(p!=i) {
            d=-d;
            for(int c=0;c<n;c++) {
                double t=a[i][c];
                a[i][c]=a[p][c];
                a[p][c]=t;
            }
        }
        d*=a[i][i];
        for(int r=i+1;r<n;r++) {
            double f=a[r][i]/a[i][i];
            for(int c=i;c<n;c++)a[r][c]-=f*a[i][c];
        }
    }
    return d;
}
int main(void) {
    double m[3][3]={{2,-1,0},{1,3,2},{0,5,-4}};
    printf("%.6f\n",det(3,m));
    return 0;
}
