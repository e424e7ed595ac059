struct P{int x,y;}; int sum(struct P *p){return p->x+p->y;}
int main(void) {
  int t=0; for(int i=0;i<3;i++){ struct P *p=&(struct P){i,1}; p->y+=i; t+=sum(p);}
  CHECK(t==0+1+0+1+1+1+2+1+2);
  END
  return 0;
}
