// never: safe
extern void reach_error(void);
struct s { int *p; int v; };
static void swap(char *a, char *b, unsigned n) { while (n--) { char t = *a; *a++ = *b; *b++ = t; } }
int x, y;
int main(void) { struct s a = { &x, 1 }, b = { &y, 2 }; swap((char *)&a, (char *)&b, sizeof a); *a.p = 5; if (y == 5 && a.v == 2) reach_error(); return 0; }
