// expect: unsafe
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  static const int off[] = { &&add - &&add, &&sub - &&add, &&end - &&add };
  unsigned char code[] = { 0, 0, 1, 0, 2 };
  int x = __VERIFIER_nondet_int(), acc = x, pc = 0;
  goto *(&&add + off[code[pc++]]);
add: acc += 3; goto *(&&add + off[code[pc++]]);
sub: acc -= 1; goto *(&&add + off[code[pc++]]);
end: if (acc == 10) reach_error();
  return 0;
}
