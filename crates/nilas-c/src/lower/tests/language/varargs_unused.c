int f(int n,...){ return n; }
int main(void) {
  CHECK(f(3,1,2,3)==3);
  END
  return 0;
}
