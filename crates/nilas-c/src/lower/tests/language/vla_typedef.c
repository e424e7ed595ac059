int main(void) {
  int n=3; typedef int T[n]; n=5; T a; CHECK(sizeof a==3*sizeof(int)); for(int i=0;i<3;i++)a[i]=i;
  CHECK(a[2]==2);
  END
  return 0;
}
