// expect: safe
#include <string.h>
extern void reach_error(void);
struct line { char text[12]; const char *field[3]; unsigned char fields; };
static void split(struct line *l) {
  l->fields = 0;
  l->field[l->fields++] = l->text;
  for (char *p = l->text; *p; p++)
    if (*p == ',' && l->fields < 3) { *p = 0; l->field[l->fields++] = p + 1; }
}
int main(void) {
  struct line l;
  memset(&l, 0, sizeof l);
  strcpy(l.text, "ab,c,d,e");
  split(&l);
  if (l.fields != 3 || strcmp(l.field[1], "c") != 0) reach_error();
  return 0;
}
