int k; __attribute__((destructor)) static void z(void){ k=k*10+1; }
  __attribute__((destructor(200))) static void y(void){ CHECK(k==21); }
  __attribute__((destructor)) static void x(void){ k=k*10+2; }
int main(void) {
  k=0;
  END
  return 0;
}
