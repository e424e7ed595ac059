int a(void){static int x=3; return x++;} int b(void){static int x=10; return x++;}
int main(void) {
  a(); a(); CHECK(a()==5); b(); CHECK(b()==11);
  END
  return 0;
}
