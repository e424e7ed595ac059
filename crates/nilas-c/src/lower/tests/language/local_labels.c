#define M(n) ({ __label__ done; int r=n; if(r>3) goto done; r=100; done: r; })
int main(void) {
  CHECK(M(2)==100); CHECK(M(5)==5);
  END
  return 0;
}
