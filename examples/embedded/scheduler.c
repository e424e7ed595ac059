// A cooperative scheduler: a task that is done is run once more.
#include <assert.h>
#include <stddef.h>

typedef enum { READY = 1, WAITING, FINISHED } task_state;

typedef struct task {
    void (*run)(struct task *);
    task_state state;
    int runs;
} task;

static void t_blink(task *t) {
    t->runs++;
    t->state = t->runs < 2 ? WAITING : FINISHED;
}

static void t_sensor(task *t) {
    assert(t->state != FINISHED);
    t->runs++;
    t->state = FINISHED;
}

static task tasks[2];

static void start(int slot, void (*run)(task *)) {
    tasks[slot].run = run;
    tasks[slot].state = READY;
}

int main(void) {
    start(0, t_blink);
    start(1, t_sensor);
    for (int tick = 0; tick < 3; tick++) {
        for (int i = 0; i < 2; i++) {
            task *t = &tasks[i];
            if (t->state != FINISHED || t->run != t_blink) {
                t->run(t);
            }
        }
    }
    return 0;
}
