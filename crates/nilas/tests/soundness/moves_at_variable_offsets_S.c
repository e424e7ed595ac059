// expect: safe
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct entry { int key; struct entry *next; char name[3]; };
struct message { unsigned char length; unsigned char data[6]; };
int main(void)
{
    char b[8];
    for (int i = 0; i < 8; i++) b[i] = i;
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k > 4) return 0;
    memmove(b + k, b, 4);
    if (b[k] != 0 || b[k + 3] != 3) reach_error();
    struct message m = { 0 };
    memset(m.data + k, 7, 2);
    if (m.data[k] != 7 || m.data[k + 1] != 7 || m.length != 0) reach_error();
    int a[6] = { 1, 2, 3, 4, 5, 6 }, c[2];
    memcpy(c, &a[k], sizeof c);
    if (c[0] != k + 1 || c[1] != k + 2) reach_error();
    struct entry table[5] = { { 0 } }, e = { 7, &table[0], "ab" }, f;
    memcpy(&table[k], &e, sizeof e);
    if (table[k].key != 7 || table[k].next != &table[0] || table[k].name[1] != 'b') reach_error();
    memcpy(&f, &table[k], sizeof f);
    if (f.key != 7 || f.next->key != (k ? 0 : 7)) reach_error();
    return 0;
}
