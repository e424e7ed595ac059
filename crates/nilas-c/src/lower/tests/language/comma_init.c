int main(void) {
  int x=(1,2,3); int a[2]={(x++,x),x}; CHECK(x==4); CHECK(a[0]==4);
  END
  return 0;
}
