#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void sort(int*a,int n) {
    for(int i=1;i<n;i++) {
        int k=a[i],j=i-1;
        while(j>=0&&a[j]>k) {
            a[j+1]=a[j];
            j--;
        }
        a[j+1]=k;
    }
}
int main(void) {
    int a[]={9,4,7,1,8,2};
    sort(a,6);
    for(int i=0;i<6;i++)printf("%d ",a[i]);
    puts("");
    return 0;
}
