int main(void) {
  struct S{int a;}*p=0; int n=0; again: ; struct S*q=&(struct S){n}; n++; if(n<2){p=q; goto again;}
  CHECK(p==q); CHECK(q->a==1);
  END
  return 0;
}
