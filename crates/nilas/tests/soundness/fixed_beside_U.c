// never: safe
// options: --32
extern void reach_error(void);
typedef struct { volatile unsigned CR, SR; unsigned buf[2]; } U;
#define U1 ((U*)0x40011000u)
static U *const ports[2] = { U1, (U*)0x40011400u };
static void init(U *u, unsigned v){ u->CR = v; u->buf[0] = v; }
int main(void){ for (int i = 0; i < 2; i++) init(ports[i], i + 5); if (U1->buf[0] != 5 || ports[1]->buf[0] != 6) reach_error(); volatile unsigned *p = &U1->SR; p += 300; if (*p == 1) reach_error(); return 0; }
