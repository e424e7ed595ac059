#define K(x) _Generic((x), int:1, unsigned:2, char:3, signed char:4, unsigned char:5, long:6, float:7, double:8, char*:9, const char*:10, default:11)
int main(void) {
  char c=0; short s=0; CHECK(K(1)==1); CHECK(K(1u)==2); CHECK(K(c)==3); CHECK(K(+c)==1);
  CHECK(K(1.0f)==7); CHECK(K(1.0)==8); CHECK(K("a")==9); CHECK(K((const char*)0)==10);
  CHECK(K(1L)==6); CHECK(K(s)==11); CHECK(K('a')==1); CHECK(K((unsigned char)1)==5);
  END
  return 0;
}
