int impl(int x){return x*2;} int ali(int) __attribute__((alias("impl")));
  static int wr(int) __attribute__((weakref("impl")));
int main(void) {
  CHECK(ali(4)==8); CHECK(&ali==&impl); CHECK(wr(3)==6);
  END
  return 0;
}
