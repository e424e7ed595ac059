struct A{int a[3];}; struct A mk(int n){ struct A x={{n,n+1,n+2}}; return x; }
int main(void) {
  CHECK(mk(4).a[2]==6); CHECK(mk(1).a[0]+mk(2).a[1]==4);
  END
  return 0;
}
