// A queue of messages on the heap: the tail is not set when the queue runs empty.
#include <stdlib.h>

struct message {
    int id;
    struct message *next;
};

static struct message *first, *last;

static void send(int id) {
    struct message *m = malloc(sizeof *m);
    if (m == NULL) {
        exit(1);
    }
    m->id = id;
    m->next = NULL;
    if (last != NULL) {
        last->next = m;
    } else {
        first = m;
    }
    last = m;
}

static int receive(void) {
    struct message *m = first;
    int id = m->id;
    first = m->next;
    free(m);
    return id;
}

int main(void) {
    send(1);
    receive();
    send(2);
    return receive();
}
