// unsafe
int a(int x){return 1;} int b(int x){return 2;} int (*p)(int)=a; int c(void){ p=b; return 0; }
int main(void) {
  if (p(c())==1) reach_error();
  return 0;
}
