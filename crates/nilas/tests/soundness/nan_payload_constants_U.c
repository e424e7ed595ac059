// never: safe
extern void reach_error(void);
static const float q = -__builtin_nanf("0x123");
static float t[40] = { 1.0f, -__builtin_nanf("0x5") };
int main(void){ unsigned u = *(unsigned*)&q, v = *(unsigned *)&t[1]; if (u == 0xffc00123u && v == 0xffc00005u) reach_error(); return 0;}
