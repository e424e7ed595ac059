// never: safe
extern void reach_error(void);
struct list { struct list *next; }; struct item { int v; struct list link; };
#define item_of(p) ((struct item *)((char *)(p) - (unsigned long)&((struct item *)0)->link))
int main(void) { struct item a = { 5 }, b = { 6 }; a.link.next = &b.link; b.link.next = 0; if (item_of(a.link.next)->v == 6) reach_error(); return 0; }
