union U{ struct { unsigned a:4,b:4,c:8; unsigned d:16; } s; unsigned u; };
int main(void) {
  union U u; u.u=0x12345678; CHECK(u.s.a==8); CHECK(u.s.b==7); CHECK(u.s.c==0x56);
  CHECK(u.s.d==0x1234); u.s.b=0xf; CHECK(u.u==0x123456f8);
  END
  return 0;
}
