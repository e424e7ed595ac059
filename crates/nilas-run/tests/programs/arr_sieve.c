#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char s[101]={0};
    int n=0;
    for(int i=2;i<=100;i++) {
        if(s[i])continue;
        n++;
        for(int j=i*i;j<=100;j+=i)s[j]=1;
    }
    printf("%d\n",n);
    return n;
}
