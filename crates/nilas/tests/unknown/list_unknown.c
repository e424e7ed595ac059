// unknown
void reach_error(void); void *malloc(unsigned long); struct n { int v; struct n *next; }; void f(struct n *);
int main(void){ struct n *h = 0; for (int i = 0; i < 3; i++) { struct n *c = malloc(sizeof *c); c->v = 1; c->next = h; h = c; } f(h); if (h->v == 5) reach_error(); return 0; }
