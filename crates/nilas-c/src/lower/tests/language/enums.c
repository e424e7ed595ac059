enum E{A=-1,B,C=5,D}; enum __attribute__((packed)) P{X,Y=200}; enum L{Big=0x100000000ll};
int main(void) {
  CHECK(B==0&&D==6); enum E e=A; CHECK(e<0); CHECK(sizeof(enum P)==1); enum P p=Y; CHECK(p==200);
  CHECK(Big>0xffffffffll); enum {U1=1u}; enum E f=C; f++; CHECK(f==D);
  END
  return 0;
}
