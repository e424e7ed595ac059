// expect: safe
// expect[ic3cfa, ic3, tree-ic3, tree-ic3-itp, tree-ic3-itp-mono, tree-itp, pred-abs]: unknown
//
// Binary search over a sorted table of any contents stays inside of it, and finds what is there.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

#define SIZE 8

static int find(const int *table, int key) {
    int low = 0, high = SIZE - 1;
    while (low <= high) {
        int middle = low + (high - low) / 2;
        if (middle < 0 || middle >= SIZE) reach_error();
        if (table[middle] == key) return middle;
        if (table[middle] < key) low = middle + 1;
        else high = middle - 1;
    }
    return -1;
}

int main(void) {
    int table[SIZE];
    table[0] = __VERIFIER_nondet_int();
    for (int i = 1; i < SIZE; i++) {
        table[i] = __VERIFIER_nondet_int();
        if (table[i] <= table[i - 1]) return 0;
    }
    unsigned where = __VERIFIER_nondet_uint() % SIZE;
    if (find(table, table[where]) != (int)where) reach_error();
    return 0;
}
