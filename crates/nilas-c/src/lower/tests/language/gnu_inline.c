extern inline __attribute__((gnu_inline)) int h(int x){return 1;} int h(int x){return 2;}
int main(void) {
  CHECK(h(0)==2||h(0)==1);
  END
  return 0;
}
