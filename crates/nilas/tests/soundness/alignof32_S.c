// never: unsafe
// options: --32
extern void reach_error(void);
struct D { char c; double d; };
int main(void) {
    if (_Alignof(double) != 4) reach_error();
    if (_Alignof(long long) != 4) reach_error();
    if (__alignof__(((struct D *)0)->d) != 4) reach_error();
    return 0;
}
