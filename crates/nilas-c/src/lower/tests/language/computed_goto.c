int f(int n){ static void *t[]={&&a,&&b,&&c}; int r=0; goto *t[n]; a: r+=1; b: r+=10; c: r+=100;
  return r; }
int main(void) {
  CHECK(f(0)==111); CHECK(f(1)==110); CHECK(f(2)==100);
  END
  return 0;
}
