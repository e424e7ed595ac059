// safe
int x=1,y=1; int f(void){x=2;y=2;return 0;}
int main(void) {
  int r=(x*10+y)+f(); if (r!=11&&r!=12&&r!=21&&r!=22) reach_error();
  return 0;
}
