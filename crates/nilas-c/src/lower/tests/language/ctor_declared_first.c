int k; __attribute__((constructor)) static void a(void);
  __attribute__((constructor)) static void b(void){k=k*10+2;} static void a(void){k=k*10+1;}
int main(void) {
  CHECK(k==21);
  END
  return 0;
}
