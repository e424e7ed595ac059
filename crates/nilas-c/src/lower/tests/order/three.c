// unmodelled
int k; int a(void){return k=k*10+1;} int b(void){return k=k*10+2;} int c(void){return k=k*10+3;}
int main(void) {
  int r=a()+b()+c(); if (k==132) reach_error();
  return 0;
}
