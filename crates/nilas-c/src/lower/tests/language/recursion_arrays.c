int f(int n){ int a[2]={n,0}; if(n>0) a[1]=f(n-1); return a[0]+a[1]; }
int main(void) {
  CHECK(f(2)==3); CHECK(f(3)==6);
  END
  return 0;
}
