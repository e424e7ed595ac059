struct S{int a;}; struct S m(int x){ return x?(struct S){1}:(struct S){2}; }
int main(void) {
  CHECK(m(0).a==2); CHECK(m(1).a==1); struct S x={4},y={5}; int c=1; CHECK((c?x:y).a==4);
  struct S z; z=(c=0,y); CHECK(z.a==5);
  END
  return 0;
}
