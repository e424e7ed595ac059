// unsafe
int k; int a(void){return ++k;}
int main(void) {
  int x[2]={a(),a()}; if (x[0]==2) reach_error();
  return 0;
}
