int f(int n){ int i=0,s=0; goto mid; for(;i<n;i++){ s+=10; mid: s+=1; } return s; }
int main(void) {
  CHECK(f(3)==1+11+11); CHECK(f(0)==1);
  END
  return 0;
}
