#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    printf("%d %d %d %d\n",__builtin_clz(1),__builtin_ctz(8),__builtin_popcount(255),__builtin_parity(7));
    printf("%d %d %d\n",__builtin_clzll(1),__builtin_ffs(12),__builtin_clrsb(-1));
    printf("%x %llx\n",__builtin_bswap32(0x12345678),__builtin_bswap64(0x1122334455667788ULL));
    return 0;
}
