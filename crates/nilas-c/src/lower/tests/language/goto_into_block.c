int f(int c){ int r=0; if(c) goto in; { int x; x=3; in: x=4; r=x; } return r; }
int main(void) {
  CHECK(f(0)==4); CHECK(f(1)==4);
  END
  return 0;
}
