int real_fn(int x){return x+1;} int fake(int) __asm__("real_fn"); int (*p)(int)=fake;
int main(void) {
  CHECK(fake(2)==3); CHECK(p==real_fn); CHECK(p(5)==6);
  END
  return 0;
}
