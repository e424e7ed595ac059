// never: safe
// The fourth pointer is stored over the counter, which then is whatever the last byte of an address is.
extern void reach_error(void);
struct line { const char *field[3]; unsigned char fields; } l;
int main(void) {
  for (int i = 0; i < 4; i++) { l.field[l.fields] = "x"; l.fields++; }
  if (l.fields != 4) reach_error();
  return 0;
}
