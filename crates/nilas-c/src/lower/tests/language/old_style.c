int f(a,b) int a; char b; { return a+b; }
int main(void) {
  CHECK(f(1,2)==3); CHECK(f(1,300)==45);
  END
  return 0;
}
