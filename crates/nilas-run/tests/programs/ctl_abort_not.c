#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc,char**argv) {
    if(argc>5) abort();
    printf("%d %d\n",argc,argv[argc]==0);
    return 0;
}
