// never: safe
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);
struct packet { struct packet *next; unsigned char length, payload[4]; };
static struct packet *head;
int main(void) {
  const unsigned char text[] = { 'h', 'i', 0 };
  for (int i = 0; i < 3; i++) {
    struct packet *p = malloc(sizeof *p);
    p->length = sizeof text;
    memset(p->payload, 7, sizeof p->payload);
    memcpy(p->payload, text, sizeof text);
    p->next = head;
    head = p;
  }
  if (head->payload[1] != 'i' || head->payload[3] == 7 || head->next->length != 3) reach_error();
  return 0;
}
