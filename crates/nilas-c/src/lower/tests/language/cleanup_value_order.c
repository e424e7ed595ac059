int g; static void f(int*p){ g+=*p; *p=99; } int h(void){ int x __attribute__((cleanup(f)))=3;
  return x+g; } int *gp; static void fp(int**p){ g=50; }
int k(void){ int*q __attribute__((cleanup(fp)))=&g; return *q; }
int main(void) {
  g=1; CHECK(h()==4); CHECK(g==4); CHECK(k()==4); CHECK(g==50); struct S{int a;} s;
  END
  return 0;
}
