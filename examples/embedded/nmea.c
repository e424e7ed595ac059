// A parser of NMEA sentences: a field that is too long is written behind its buffer's last element.
#include <assert.h>
#include <stdint.h>

enum state { IDLE, TALKER, FIELD, DONE };

#define FIELD_SIZE 4

struct parser {
    enum state state;
    char field[FIELD_SIZE];
    uint8_t used;
};

static struct parser gps;

static void feed(struct parser *p, char c) {
    switch (p->state) {
    case IDLE:
        if (c == '$') {
            p->state = TALKER;
        }
        break;
    case TALKER:
        if (c == ',') {
            p->state = FIELD;
            p->used = 0;
        }
        break;
    case FIELD:
        if (c == '*') {
            p->state = DONE;
        } else {
            p->field[p->used % FIELD_SIZE] = c;
            p->used++;
        }
        break;
    case DONE:
        break;
    }
    assert(p->used <= FIELD_SIZE);
}

int main(void) {
    const char *sentence = "$GP,12345*";
    for (int i = 0; sentence[i] != '\0'; i++) {
        feed(&gps, sentence[i]);
    }
    return 0;
}
