inline int sq(int x){return x*x;} extern int sq(int x); static inline int cube(int x){return x*x*x;}
int main(void) {
  CHECK(sq(3)==9); CHECK(cube(2)==8); int (*p)(int)=sq; CHECK(p(4)==16);
  END
  return 0;
}
