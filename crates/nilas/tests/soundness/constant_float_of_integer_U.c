// expect: unsafe
extern void reach_error(void);
static int eq = (float)9007199791611905LL == 9007199254740992.0f;
int main(void) { if (!eq) reach_error(); return 0; }
