int f(int n){ int r=0; switch(n){ int x; case 0: { x=5; r=x; break; } { case 1: r=7; if(n==1) {
  case 2: r+=2; } break; } default: r=9; } return r; }
int main(void) {
  CHECK(f(0)==5); CHECK(f(1)==9); CHECK(f(2)==2); CHECK(f(3)==9);
  END
  return 0;
}
