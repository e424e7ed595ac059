// expect: unsafe
// options: --32
#include <stdint.h>
extern void reach_error(void);
#define CNT (*(uint32_t *)0x20000100u)
int main(void){ uint32_t x = CNT; if (x == 17) reach_error(); return 0; }
