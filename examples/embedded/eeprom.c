// Settings in two copies, the newer one counts: a counter that wraps around makes the old copy the newer one.
#include <assert.h>
#include <stdint.h>

struct record {
    uint8_t count;
    uint8_t value;
};

static struct record eeprom[2];

static int newest(void) {
    return eeprom[1].count > eeprom[0].count;
}

static void store(uint8_t value) {
    int from = newest(), to = !from;
    eeprom[to].count = (uint8_t)(eeprom[from].count + 1);
    eeprom[to].value = value;
}

extern uint8_t __VERIFIER_nondet_uchar(void);

int main(void) {
    eeprom[0].count = __VERIFIER_nondet_uchar();
    eeprom[1].count = (uint8_t)(eeprom[0].count + 1);
    store(7);
    assert(eeprom[newest()].value == 7);
    return 0;
}
