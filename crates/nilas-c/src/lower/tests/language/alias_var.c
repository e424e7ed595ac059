int v=3; extern int w __attribute__((alias("v")));
int main(void) {
  w=9; CHECK(v==9); CHECK(&v==&w);
  END
  return 0;
}
