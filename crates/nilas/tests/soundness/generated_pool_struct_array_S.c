// never: unsafe
#include <stdlib.h>
extern void reach_error(void);
struct node { int v; struct node *next; };
union block { union block *next; }; static union block *spare;
static void *get(unsigned n) { union block *b = spare; if (b) spare = b->next; else b = malloc(n); return b; }
int main(void) {
  struct node *b = get(4 * sizeof(struct node)); if (!b) return 0;
  b[2].v = 37; b->next = b;
  if (b[2].v != 37) reach_error();
  return 0;
}
