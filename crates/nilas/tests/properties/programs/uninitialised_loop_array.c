// property: uninitialised
// good: 1
// bad: 0
#include <stddef.h>
int main(void) {
    int s = 0;
    for (int k = 0; k < 2; k++) {
        int a[2];
        if (N || k == 0) a[1] = k;
        s += a[1];
    }
    return s;
}
