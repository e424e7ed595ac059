// never: safe
extern void reach_error(void);
struct { char name[4]; int key; } s;
int main(void) { char *p = (char *)&s; p[4] = 7; if (s.key == 7) reach_error(); return 0; }
