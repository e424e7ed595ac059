// unsafe
int k; int a(void){return k=k*10+1;} int b(void){return k=k*10+2;} void h(int x,int y){
  if(k==21) reach_error(); }
int main(void) {
  h(a(),b());
  return 0;
}
