// never: unsafe
extern void reach_error(void);
int main(void) { if (__builtin_clz(1u) != 31 || __builtin_ctz(8u) != 3 || __builtin_popcount(255u) != 8 || __builtin_ffs(0) != 0 || __builtin_parity(7u) != 1 || __builtin_bswap16(0x1234) != 0x3412) reach_error(); return 0; }
