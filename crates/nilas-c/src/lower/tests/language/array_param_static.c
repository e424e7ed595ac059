int f(int a[static 3]){ return a[2]; } int g(int n,char a[restrict]){ return sizeof(a); }
int main(void) {
  int a[3]={1,2,3}; CHECK(f(a)==3); CHECK(g(1,0)==sizeof(char*));
  END
  return 0;
}
