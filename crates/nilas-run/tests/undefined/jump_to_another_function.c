// expect: jump-out-of-scope
static void *kept;
static int keep(int first) {
  if (first) { kept = &&here; return 1; }
here:
  return 7;
}
static int jump(void) {
  goto *kept;
own:
  if (!kept) goto *&&own;
  return 3;
}
int main(void) {
  keep(1);
  return jump();
}
