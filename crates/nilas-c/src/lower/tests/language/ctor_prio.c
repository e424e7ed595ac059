int k; __attribute__((constructor(300))) static void a(void){k=k*10+1;}
  __attribute__((constructor)) static void b(void){k=k*10+2;}
  __attribute__((constructor(101))) static void c(void){k=k*10+3;}
  __attribute__((constructor)) static void d(void){k=k*10+4;}
int main(void) {
  CHECK(k==3124);
  END
  return 0;
}
