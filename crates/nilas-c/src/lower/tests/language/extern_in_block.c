int g=4; int f(void){ int g=5; { extern int g; return g; } }
int main(void) {
  CHECK(f()==4);
  END
  return 0;
}
