#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int sum(int m[][3],int n) {
    int s=0;
    for(int i=0;i<n;i++) for(int j=0;j<3;j++) s+=m[i][j];
    return s;
}
int main(void) {
    int m[2][3]={{1,2,3},{4,5,6}};
    printf("%d %d %d\n",sum(m,2),*(*(m+1)+2),(int)(sizeof m/sizeof m[0]));
    int (*row)[3]=m;
    row++;
    printf("%d\n",(*row)[0]);
    return 0;
}
