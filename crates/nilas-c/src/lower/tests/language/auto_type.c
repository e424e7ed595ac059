#define max(a,b) ({ __auto_type _a=(a); __auto_type _b=(b); _a>_b?_a:_b; })
int main(void) {
  CHECK(max(3,4)==4); CHECK(max(2.5,1)==2.5); long long q=1ll<<40; CHECK(max(q,1)==q);
  END
  return 0;
}
