// expect: unsafe
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
    char b[8] = "abcdefg";
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k > 4) return 0;
    memmove(b + k, b, 4);
    if (b[4] == 'a') reach_error();
    return 0;
}
