// expect: safe
// options: --32
#include <stdint.h>
extern void reach_error(void);
#define CNT (*(uint32_t *)0x20000100u)
#define CNTB ((uint8_t *)0x20000100u)
int main(void){ CNT = 0x01020304; if (CNTB[1] != 3) reach_error(); if (CNT != 0x01020304) reach_error(); return 0; }
