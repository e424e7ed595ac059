extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct pair { short first; unsigned low : 3; int : 0; long second; };
int main(void) {
    struct pair p = {1, 2, 3}, q = p;
    q.low = __VERIFIER_nondet_int();
    if (q.low > 7 || p.second != q.second) reach_error();
    return 0;
}
