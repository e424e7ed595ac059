int f(int n){ switch(n){ case -5 ... -1: return 1; case 0: return 2; case 1 ... 9: return 3;
  case 10 ... 10: return 4; } return 5; }
int main(void) {
  CHECK(f(-5)==1); CHECK(f(-6)==5); CHECK(f(0)==2); CHECK(f(9)==3); CHECK(f(10)==4);
  CHECK(f(11)==5);
  END
  return 0;
}
