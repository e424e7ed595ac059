int main(void) {
  int a[3]={[0]=1,[1]=2,[0]=5}; CHECK(a[0]==5&&a[1]==2); struct S{int a,b;}s={.a=1,.b=2,.a=3};
  CHECK(s.a==3&&s.b==2);
  END
  return 0;
}
