// safe
struct N{struct N*l,*r;int v;};
int main(void) {
  struct N n; n.l=n.r=0; struct N*p=&n; p->l=p->r=p; int a[3],i=1,j=2; a[i]=a[j]=5;
  if (a[1]!=5||p->l!=p||n.r!=p) reach_error();
  return 0;
}
