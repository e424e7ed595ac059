// safe
int printf(const char*,...); struct S{int a,b;}; int next(struct S*s){ return ++s->a; }
int main(void) {
  struct S s={1,2}; printf("%d %d %d\n", s.a, s.b, next(&s)); if (s.a!=2) reach_error();
  return 0;
}
