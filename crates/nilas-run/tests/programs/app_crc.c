#include <stdio.h>
#include <stdlib.h>
#include <string.h>
unsigned crc(const char*s) {
    unsigned c=~0u;
    while(*s) {
        c^=(unsigned char)*s++;
        for(int i=0;i<8;i++)c=c>>1^(0xEDB88320u&-(c&1));
    }
    return ~c;
}
int main(void) {
    printf("%08x\n",crc("123456789"));
    return 0;
}
