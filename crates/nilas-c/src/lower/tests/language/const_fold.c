enum{N=3}; int a[N*2]; static int c=N?1:0; int t=sizeof(a)/sizeof*a;
int main(void) {
  CHECK(t==6&&c==1); CHECK(!!0.5==1); CHECK((int)3.99==3); CHECK((char)300==44); CHECK('\377'<0);
  CHECK(L'a'==97); CHECK(0x7fffffff+1<0);
  END
  return 0;
}
