// expect: unsafe
// The initialiser of an array of unknown length at the end of a struct makes the object larger.
void reach_error(void);
int __VERIFIER_nondet_int(void);
struct row { int n; int d[]; };
struct text { long n; char first; char s[]; };
struct pair { short a, b; };
struct pairs { char n; struct pair p[0]; };
static struct row row = {3, {1, 2, 3}};
static struct text text = {1, 'x', "abc"};
static const struct pairs pairs = {2, {{1, 2}, [2] = {.b = 7}}};
static int after = 9;
int main(void) {
    int i = __VERIFIER_nondet_int(), sum = 0;
    for (int k = 0; k < row.n; k++) sum += row.d[k];
    if (sum != 6 || sizeof(row) != 4) reach_error();
    if (text.s[0] != 'a' || text.s[2] != 'c' || text.s[3] != 0) reach_error();
    if (pairs.p[0].b != 2 || pairs.p[1].a != 0 || pairs.p[2].a != 0 || pairs.p[2].b != 6) reach_error();
    if (i >= 0 && i < 3) {
        row.d[i] = 5;
        if (row.d[i] != 5 || row.d[0] + row.d[1] + row.d[2] < 8) reach_error();
    }
    if (row.n != 3 || after != 9 || text.n != 1 || text.first != 'x') reach_error();
    return 0;
}
