int n; int f(void){return ++n;}
int main(void) {
  int a[6]={[4]=f(),[1]=10,[2 ... 3]=20}; CHECK(n==1);
  CHECK(a[4]==1&&a[1]==10&&a[2]==20&&a[3]==20&&a[0]==0&&a[5]==0);
  struct{int x,y;struct{int z;}w;}s={.w.z=3,.x=1}; CHECK(s.x==1&&s.y==0&&s.w.z==3);
  int b[]={[2]=5,6,[0]=1}; CHECK(sizeof b==4*sizeof(int)); CHECK(b[3]==6&&b[0]==1);
  END
  return 0;
}
