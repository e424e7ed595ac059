// safe
int g=1; int f(void){ g=5; return 0; }
int main(void) {
  int r = g + f(); if (r!=1 && r!=5) reach_error(); if (g!=5) reach_error();
  return 0;
}
