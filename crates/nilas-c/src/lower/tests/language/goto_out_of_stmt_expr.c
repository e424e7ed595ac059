int f(int c){ int r=1; r += ({ int t=4; if(c) goto out; t; }); return r; out: return 40+r; }
int main(void) {
  CHECK(f(0)==5); CHECK(f(1)==41);
  END
  return 0;
}
