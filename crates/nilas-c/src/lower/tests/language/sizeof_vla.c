int main(void) {
  int n=2; int k=sizeof(int[n++]); CHECK(n==3); CHECK(k==2*sizeof(int)); int a[n];
  CHECK(sizeof a==3*sizeof(int)); n=9; CHECK(sizeof a==3*sizeof(int)); int b[n][2];
  CHECK(sizeof b[0]==2*sizeof(int)); CHECK(sizeof(b)/sizeof(b[0])==9); int (*p)[n]=0;
  CHECK(sizeof *p==9*sizeof(int)); int z=sizeof(n++); CHECK(n==9);
  END
  return 0;
}
