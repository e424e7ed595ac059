struct S{int a[4];};
int main(void) {
  struct S s={{1,2,3,4}},t; t=s; s.a[0]=9; CHECK(t.a[0]==1); struct S *p=&t; *p=*p;
  CHECK(t.a[3]==4); t=s=(struct S){{7}}; CHECK(t.a[0]==7&&t.a[1]==0);
  END
  return 0;
}
