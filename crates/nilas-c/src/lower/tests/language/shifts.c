int main(void) {
  unsigned x=1; CHECK(x<<31==0x80000000u); int s=-8; CHECK(s>>1==-4); CHECK(s/3==-2);
  CHECK(s%3==-2); long long q=1; CHECK(q<<40==0x10000000000ll); unsigned char c=0x80;
  CHECK(c<<1==256); CHECK((signed char)0x80>>7==-1);
  END
  return 0;
}
