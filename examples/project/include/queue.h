/* A queue of small numbers in a ring. */
#ifndef QUEUE_H
#define QUEUE_H

#ifndef QUEUE_SIZE
#define QUEUE_SIZE 8
#endif

struct queue {
    unsigned char items[QUEUE_SIZE];
    unsigned first, count;
};

extern unsigned long dropped;

int queue_put(struct queue *queue, unsigned char item);
int queue_get(struct queue *queue, unsigned char *item);

#endif
