// unsafe
int a[3]={1,2,3}; int *p=a; int f(void){ p=a+1; return 1; }
int main(void) {
  if (p[f()]==3) reach_error();
  return 0;
}
