// safe
int g=3; int f(int x){ return x+g; }
int main(void) {
  int r=f(1)+f(2)*f(3); if (r!=4+5*6) reach_error();
  return 0;
}
