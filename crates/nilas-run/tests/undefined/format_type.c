// expect: format
#include <stdio.h>
int main(void) { printf("%d\n", 1.5); return 0; }
