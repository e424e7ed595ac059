int a(int x){return x+1;} int b(int x){return x*2;} struct O{int (*f)(int);} o[]={{a},{b},{0}};
int main(void) {
  int v=3; for(struct O*p=o;p->f;p++) v=p->f(v); CHECK(v==8);
  int (*(*q)[2])(int)=&(int(*[2])(int)){b,a}; CHECK((*q)[0](5)==10);
  END
  return 0;
}
