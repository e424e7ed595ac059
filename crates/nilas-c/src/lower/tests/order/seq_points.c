// safe
int g; int f(void){ return ++g; }
int main(void) {
  int r=(f(),g)+0; if(r!=1) reach_error(); if (f()==2 && g==2) ; else reach_error();
  r = f() ? g : 9; if (r!=3) reach_error(); int i=0; i=(i++,i)+1; if(i!=2) reach_error();
  return 0;
}
