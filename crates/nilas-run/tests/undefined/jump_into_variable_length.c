// expect: jump-out-of-scope
int main(void) {
  int n = 3;
  void *p = &&in;
  goto *p;
  {
    int a[n];
  in:
    a[0] = 1;
  }
  return 0;
}
