#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
int main(void) {
    printf("%d %d %d\n",strcasecmp("HeLLo","hEllO"),strncasecmp("ABC","abd",2),strcasecmp("a","B")<0);
    return 0;
}
