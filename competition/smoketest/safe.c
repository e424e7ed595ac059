extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int i = 0;
  while (__VERIFIER_nondet_int())
    if (i < 9) i++;
  if (i < 0 || i > 9) reach_error();
  return 0;
}
