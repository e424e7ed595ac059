// never: unsafe
// options: --32
extern void reach_error(void);
struct in { short x; unsigned char y[3]; };
struct out { int a; char c; struct in in; unsigned f : 6; int g : 15; long long big; int *p; };
struct out g1, g2;
static struct out make(int k) { struct out o = { .a = k, .in = { k + 1, { k, 2 } }, .f = k, .g = k * 3, .big = k, .p = &g1.a }; return o; }
static int total(struct out o) { o.a += o.c; *o.p += 1; return 1; }
long long o4;
long long o12;
int main(void) {
  struct out l = make(51), array[2] = { { 1 }, { .c = 3 } }; int r = 0; array[0].p = &r; array[1].p = &l.a; g1.p = &g2.a; g2.p = &r; struct out *p = &g1;
  { int t = total(array[1]); }
  o4 = (long long)(g2.a);
  o12 = (long long)(total(*p));
  if (o4 != 0LL) reach_error();
  return 0;
}
