#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    printf("[%5d][%-5d][%05d][%+d][% d]\n",42,42,42,42,42);
    printf("[%x][%X][%#x][%o][%#o]\n",255,255,255,8,8);
    printf("[%hhd][%hd][%ld][%lld][%zu]\n",(char)300,(short)70000,1234567L,-5LL,sizeof(int));
    printf("[%.3d][%8.3d][%-8.3d|][%.0d]\n",5,5,5,0);
    printf("[%u][%u]\n",-1,0);
    return 0;
}
