int x=1; int f(int x){ { int x=3; x++; } return x; }
int main(void) {
  CHECK(f(2)==2); int x=5; { extern int x; CHECK(x==1); } CHECK(x==5);
  END
  return 0;
}
