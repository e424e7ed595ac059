int main(void) {
  int x=3; typeof(x) y=4; typeof(x+1.0) d=2.5; CHECK(sizeof d==8); __typeof__(int*) p=&x; *p=6;
  CHECK(x==6&&y==4); typeof(({int q=1; q;})) z=2; CHECK(z==2);
  END
  return 0;
}
