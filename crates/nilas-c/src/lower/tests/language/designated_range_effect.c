int n; int f(void){return ++n;}
int main(void) {
  int a[4]={[0 ... 3]=f()}; CHECK(n==1); CHECK(a[3]==1);
  END
  return 0;
}
