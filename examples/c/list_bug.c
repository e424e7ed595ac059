// expect: unsafe
//
// A list on the heap; the last element is never counted.
#include <assert.h>
#include <stdlib.h>

struct node { int value; struct node *next; };

int main(void) {
  struct node *list = 0;
  for (int i = 0; i < 3; i++) {
    struct node *node = malloc(sizeof *node);
    node->value = i;
    node->next = list;
    list = node;
  }
  int length = 0;
  while (list->next) {
    length++;
    list = list->next;
  }
  assert(length == 3);
  return 0;
}
