int main(void) {
  int x; int *p=&x; CHECK(p!=0); CHECK(!(p==0)); CHECK(p&&1); p=0; CHECK(!p); void *v=p;
  CHECK(v==0); CHECK((long)p==0);
  END
  return 0;
}
