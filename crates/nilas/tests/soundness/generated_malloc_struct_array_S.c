// never: unsafe
#include <stdlib.h>
extern void reach_error(void);
struct node { int v; struct node *next; };
static void *(*get)(size_t) = malloc;
int main(void) {
  struct node *b = get(6 * sizeof(struct node)); if (!b) return 0;
  b[2].v = 15; b->next = b;
  if (b[2].v != 15) reach_error();
  return 0;
}
