#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define T(x) _Generic((x),int:"int",double:"double",char*:"char*",default:"other")
int main(void) {
    __typeof__(1.5f) f=2;
    __auto_type a=5L;
    printf("%s %s %s %s %d\n",T(1),T(1.0),T("a"),T(f),(int)sizeof(a));
    _Static_assert(sizeof(char)==1,"x");
    return 0;
}
