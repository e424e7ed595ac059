int main(void) {
  unsigned u=1; int i=-2; CHECK(u+i>0u); CHECK((i<u)==0); unsigned char c=255; c++; CHECK(c==0);
  short s=(short)40000; CHECK(s==-25536); long long l=-1; CHECK((unsigned)l==0xffffffffu);
  CHECK(-1>>1==-1); CHECK((unsigned char)~0==255); CHECK(1u-2>0);
  END
  return 0;
}
