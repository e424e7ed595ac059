// never: unsafe
// options: --32
extern void reach_error(void);
struct A { char c; _Atomic long long a; };
struct B { char c; _Atomic double a; };
int main(void) {
    if (sizeof(struct A) != 16 || sizeof(struct B) != 16) reach_error();
    return 0;
}
