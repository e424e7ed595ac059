// property: string-literal-write
// good: 0
// bad: 1
#include <stddef.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    char a[] = "abc", *p = a;
    if (__VERIFIER_nondet_int() && N) p = "abc";
    *p = 'x';
    return 0;
}
