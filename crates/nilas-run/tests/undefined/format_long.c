// expect: format
#include <stdio.h>
int main(void) { printf("%d\n", 5LL); return 0; }
