struct __attribute__((packed)) Q{ unsigned a:3; unsigned b:7; unsigned c:11; char d; };
int main(void) {
  struct Q q={0}; q.a=5; q.b=100; q.c=2000; q.d=7; CHECK(q.a==5&&q.b==100&&q.c==2000&&q.d==7);
  CHECK(sizeof(q)==4); q.b=127; CHECK(q.a==5&&q.c==2000);
  END
  return 0;
}
