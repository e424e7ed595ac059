// CRC-8 with the polynomial 0x07: for one byte a bit of the checksum is flipped.
#include <assert.h>
#include <stdint.h>

static uint8_t table[4];

static uint8_t crc8(const uint8_t *data, unsigned length) {
    uint8_t crc = 0;
    for (unsigned i = 0; i < length; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++) {
            crc = (crc & 0x80) ? (uint8_t)((crc << 1) ^ 0x07) : (uint8_t)(crc << 1);
        }
    }
    return crc;
}

extern uint8_t __VERIFIER_nondet_uchar(void);

int main(void) {
    uint8_t message[2];
    message[0] = __VERIFIER_nondet_uchar();
    message[1] = crc8(message, 1);
    if (message[0] == 0x31) {
        message[1] ^= 0x10;
    }
    assert(crc8(message, 2) == 0);
    return table[0];
}
