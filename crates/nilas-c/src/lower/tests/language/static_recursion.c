int f(int n){ static int depth; int r; depth++; if(n==0) r=depth; else r=f(n-1); depth--; return r;
  }
int main(void) {
  CHECK(f(2)==3); CHECK(f(3)==4); CHECK(f(0)==1);
  END
  return 0;
}
