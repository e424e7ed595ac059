int f(int n,int m,int a[n][m]){ return a[1][m-1]+(int)sizeof(a[0]); }
int main(void) {
  int a[2][3]={{1,2,3},{4,5,6}}; CHECK(f(2,3,a)==6+(int)(3*sizeof(int)));
  END
  return 0;
}
