// never: safe
// The same where the number becomes a pointer again.
extern void reach_error(void);
int x;
int main(void) {
    unsigned long u = (unsigned long)&x - 0x10004;
    int *p = (int *)u;
    if (!p) reach_error();
    return 0;
}
