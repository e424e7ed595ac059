int main(void) {
  _Bool b=0.1; CHECK(b==1); b=256; CHECK(b==1); b=(void*)0; CHECK(b==0); b++; CHECK(b==1); b++;
  CHECK(b==1); b--; CHECK(b==0); b--; CHECK(b==1); _Bool c=b+5; CHECK(c==1);
  CHECK(sizeof(_Bool)==1); b^=1; CHECK(b==0);
  END
  return 0;
}
