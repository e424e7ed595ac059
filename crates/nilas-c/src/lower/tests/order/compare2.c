// unsafe
int g=1; int f(void){ g=2; return 1; }
int main(void) {
  if (g == f()) reach_error();
  return 0;
}
