#include "queue.h"

unsigned long dropped;

/* Positions in the ring, as main.c has positions in the input. */
static unsigned next(unsigned position) {
    return position + 1 == QUEUE_SIZE ? 0 : position + 1;
}

int queue_put(struct queue *queue, unsigned char item) {
    unsigned at = queue->first;
    if (queue->count == QUEUE_SIZE) {
        dropped++;
        return 0;
    }
    for (unsigned i = 0; i < queue->count; i++) {
        at = next(at);
    }
    queue->items[at] = item;
    queue->count++;
    return 1;
}

int queue_get(struct queue *queue, unsigned char *item) {
    if (queue->count == 0) {
        return 0;
    }
    *item = queue->items[queue->first];
    queue->first = next(queue->first);
    queue->count--;
    return 1;
}
