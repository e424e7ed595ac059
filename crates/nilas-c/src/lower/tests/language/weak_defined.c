__attribute__((weak)) int w(void){return 5;} __attribute__((weak)) int wv=3;
int main(void) {
  CHECK(w()==5); CHECK(w!=0); CHECK(wv==3); CHECK(&wv!=0);
  END
  return 0;
}
