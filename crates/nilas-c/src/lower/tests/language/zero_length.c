struct Z{int n; int d[0]; int t;};
int main(void) {
  struct Z z={1,{},7}; CHECK(sizeof z==8); CHECK(z.t==7); CHECK((void*)z.d==(void*)&z.t);
  END
  return 0;
}
