// unsafe
int f(void){ exit(0); return 0;} int g(void){ reach_error(); return 0; }
int main(void) {
  int r=g()+f();
  return 0;
}
