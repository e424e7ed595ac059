int n; int f(int x){ n=n*10+x; return x; }
int main(void) {
  int r=(f(1),f(2),f(3)); CHECK(r==3&&n==123); n=0; if(f(0)||f(2)) ; CHECK(n==2); n=0;
  int t=f(1)?f(2):f(3); CHECK(n==12&&t==2); for(n=0;n<2;n++,f(0)) break; CHECK(n==0);
  END
  return 0;
}
