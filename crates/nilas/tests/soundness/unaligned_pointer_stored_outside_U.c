// never: safe
// options: --engine ic3cfa
extern void reach_error(void); struct n {struct n*next; int v;}; extern struct n *q; int main(void){ if(!q) return 0; q->next=(struct n*)((char*)q+1); struct n*r=q->next; r->next=0; if(((unsigned long)r&1)) reach_error(); return 0; }
