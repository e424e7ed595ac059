// expect: safe
// options: --engine ic3cfa
extern void reach_error(void); struct n {struct n*next; int v;}; extern struct n *q; int main(void){ struct n*p=q; while(p){ p->v=1; if(p->v!=1) reach_error(); p=p->next;} return 0; }
