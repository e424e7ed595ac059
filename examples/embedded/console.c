// A console on a serial line: a command that wants an argument is called without one.
#include <assert.h>
#include <stddef.h>
#include <string.h>

typedef int (*handler_t)(const char *argument);

static int led = -1;

static int cmd_led(const char *argument) {
    if (strcmp(argument, "on") == 0) {
        led = 1;
    } else if (strcmp(argument, "off") == 0) {
        led = 0;
    } else {
        return -1;
    }
    return 0;
}

static int cmd_reset(const char *argument) {
    (void)argument;
    led = -1;
    return 0;
}

static const struct {
    const char *name;
    handler_t run;
} commands[] = {{"led", cmd_led}, {"reset", cmd_reset}};

static int dispatch(char *line) {
    char *argument = strchr(line, ' ');
    if (argument != NULL) {
        *argument++ = '\0';
    }
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (strcmp(commands[i].name, line) == 0) {
            return commands[i].run(argument);
        }
    }
    return -2;
}

int main(void) {
    char line[12];
    strcpy(line, "led on");
    assert(dispatch(line) == 0 && led == 1);
    strcpy(line, "reset");
    assert(dispatch(line) == 0);
    strcpy(line, "led");
    assert(dispatch(line) == -1);
    return 0;
}
