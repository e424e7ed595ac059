// never: safe
#include <stdlib.h>
extern void reach_error(void);
struct text { int length; char data[]; };
static struct text *text(int n) { struct text *t = malloc(sizeof *t + n); t->length = n; return t; }
int main(void) { struct text *a = text(2), *b = text(500); a->data[1] = 'a'; b->data[499] = 'b'; if (a->data[1] + b->data[499] == 'a' + 'b') reach_error(); return 0; }
