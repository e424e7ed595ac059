// unsafe
int i; int f(void){ i=1; return 7; } int a[2];
int main(void) {
  a[i]=f(); if (a[1]==7) reach_error();
  return 0;
}
