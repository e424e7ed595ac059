// expect: safe
extern void reach_error(void);
static int eq = 1.00000017881393432617187499f == 1.00000011920928955078125f;
int main(void) { if (!eq) reach_error(); return 0; }
