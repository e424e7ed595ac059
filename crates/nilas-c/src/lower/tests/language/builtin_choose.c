int main(void) {
  CHECK(__builtin_choose_expr(1,5,(char*)0)==5); CHECK(__builtin_types_compatible_p(int,int)==1);
  CHECK(__builtin_types_compatible_p(int,char)==0); CHECK(__builtin_constant_p(3));
  CHECK(__builtin_expect(4,1)==4); CHECK(__builtin_offsetof(struct{int a;char b;},b)==4);
  END
  return 0;
}
