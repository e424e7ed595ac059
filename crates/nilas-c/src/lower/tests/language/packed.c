struct __attribute__((packed)) P{char c; int i; short s;}; struct N{char c; struct P p;
  int i __attribute__((packed));};
int main(void) {
  CHECK(sizeof(struct P)==7); struct P p={1,0x01020304,5}; CHECK(((char*)&p)[1]==4);
  CHECK(((char*)&p)[4]==1); p.i++; CHECK(p.i==0x01020305&&p.c==1&&p.s==5);
  CHECK(sizeof(struct N)==12);
  END
  return 0;
}
