#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char s[]="a,b;;c , d";
    for(char*t=strtok(s,",; ");t;t=strtok(0,",; "))printf("[%s]",t);
    puts("");
    char u[]="x y z",*p;
    for(char*t=strtok_r(u," ",&p);t;t=strtok_r(0," ",&p))printf("<%s>",t);
    puts("");
    return 0;
}
