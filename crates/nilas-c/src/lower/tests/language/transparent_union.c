typedef union __attribute__((transparent_union)) {int *i; float *f;} U; int f(U u){return *u.i;}
int main(void) {
  int x=5; CHECK(f(&x)==5);
  END
  return 0;
}
