// never: safe
extern void reach_error(void);
struct dev { struct dev *up; int n; };
extern struct dev *printf_device(struct dev *);
int main(void) { struct dev d = { 0, 1 }; struct dev *p = printf_device(&d); if (p && p->n == 5) reach_error(); return 0; }
