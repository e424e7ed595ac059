// expect: jump-out-of-scope
int main(void) {
  void *p = &&in;
  int i = 0;
  goto *p;
  i = ({ in: i = 5; i; });
  return i;
}
