// A UART receiver with frames of start byte, length, payload and checksum: the length is not checked.
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#define PAYLOAD 4

enum step { START, LENGTH, DATA, CHECK };

static struct {
    enum step step;
    uint8_t length, received, sum;
    uint8_t payload[PAYLOAD];
} uart;

static bool on_byte(uint8_t byte) {
    switch (uart.step) {
    case START:
        uart.step = byte == 0x7e ? LENGTH : START;
        return false;
    case LENGTH:
        uart.length = byte;
        uart.received = uart.sum = 0;
        uart.step = DATA;
        return false;
    case DATA:
        assert(uart.received < PAYLOAD);
        uart.payload[uart.received++] = byte;
        uart.sum += byte;
        if (uart.received == uart.length) {
            uart.step = CHECK;
        }
        return false;
    default:
        uart.step = START;
        return uart.sum == byte;
    }
}

extern uint8_t __VERIFIER_nondet_uchar(void);

int main(void) {
    for (int i = 0; i < 8; i++) {
        on_byte(__VERIFIER_nondet_uchar());
    }
    return 0;
}
