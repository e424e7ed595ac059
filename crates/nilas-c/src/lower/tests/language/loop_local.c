int main(void) {
  int s=0; for(int i=0;i<3;i++){ int x=i; { static int k; k+=x; s=k; } } CHECK(s==3);
  for(int i=0,j=5;i<j;i++,j--) s+=j-i; CHECK(s==3+5+3+1);
  END
  return 0;
}
