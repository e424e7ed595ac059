extern void reach_error(void);
static unsigned down(unsigned n) { return n == 0 ? 0 : down(n - 1); }
int main(void) {
    if (down(2)) reach_error();
    return 0;
}
