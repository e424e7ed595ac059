// never: safe
// An address as a number, moved by a number: where objects lie decides whether that is close to null.
extern void reach_error(void);
int x;
int main(void) {
    unsigned long u = (unsigned long)&x - 0x1000000;
    if (u < 100) reach_error();
    return 0;
}
