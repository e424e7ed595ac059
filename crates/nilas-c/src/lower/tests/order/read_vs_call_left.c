// unsafe
int g=1; int f(void){ g=5; return 0; }
int main(void) {
  int r = g + f(); if (r==1) reach_error();
  return 0;
}
