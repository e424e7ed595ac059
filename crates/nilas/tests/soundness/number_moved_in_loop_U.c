// never: safe
// Many small steps lead from an object to null, if it lies where they lead from.
extern void reach_error(void);
int x;
int main(void) {
    unsigned long u = (unsigned long)&x;
    for (int i = 0; i < 1024; i++) u -= 64;
    if (u == 0) reach_error();
    return 0;
}
