struct S{int a,b;};
int main(void) {
  struct S s=({ struct S t={1,2}; t.a=5; t; }); CHECK(s.a==5&&s.b==2); CHECK(({ struct S t={3,4}; t;
  }).b==4);
  END
  return 0;
}
