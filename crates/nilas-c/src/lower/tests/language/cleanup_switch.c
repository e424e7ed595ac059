int n; static void f(int*p){n++;} int k(int c){ switch(c){ case 1: {
  int a __attribute__((cleanup(f)))=1; break; } case 2: ; int b __attribute__((cleanup(f)))=2;
  case 3: return 3; } return 0; }
int main(void) {
  k(1); CHECK(n==1); k(2); CHECK(n==2); k(3); CHECK(n==3); k(4); CHECK(n==3);
  END
  return 0;
}
