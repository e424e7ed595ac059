extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x > 10 && x * 2 == 26) reach_error();
  return 0;
}
