int f(int n){ static const int t[]={&&a-&&a,&&b-&&a}; int r=0; goto *(&&a+t[n]); a: r+=1; b: r+=10;
  return r; }
int main(void) {
  CHECK(f(0)==11); CHECK(f(1)==10);
  END
  return 0;
}
