// Names of sensors in capitals: the name that nobody set is a literal, and is written all the same.
#include <ctype.h>
#include <stddef.h>

struct sensor {
    char name[8];
    char *shown;
};

static struct sensor sensors[2] = { { "temp", NULL }, { "hum", NULL } };

static void capitalise(char *text) {
    for (size_t i = 0; text[i] != '\0'; i++) {
        text[i] = (char)toupper(text[i]);
    }
}

int main(void) {
    sensors[0].shown = sensors[0].name;
    for (int i = 0; i < 2; i++) {
        if (sensors[i].shown == NULL) {
            sensors[i].shown = "none";
        }
        capitalise(sensors[i].shown);
    }
    return 0;
}
