int n; static void f(int*p){n=n*10+*p;}
int main(void) {
  int t=({ int a __attribute__((cleanup(f)))=1; int u=({ int b __attribute__((cleanup(f)))=2; b+a;
  }); u+a; }); CHECK(t==4); CHECK(n==21);
  END
  return 0;
}
