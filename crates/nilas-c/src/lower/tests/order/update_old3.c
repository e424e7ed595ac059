// safe
int g=1; int f(void){ g=5; return 2; }
int main(void) {
  g += f(); if (g!=3&&g!=7) reach_error();
  return 0;
}
