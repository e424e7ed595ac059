#include <stdatomic.h>
_Atomic int shared;
_Atomic(int *) where;
atomic_flag flag = ATOMIC_FLAG_INIT;
int main(void) {
    int a = 1, e = 15, r, n = 4, x = 0, list[3] = { 1, 2, 3 }, *p = list;
    char f = 0;
    CHECK(__sync_fetch_and_add(&a, 2) == 1 && a == 3)
    CHECK(__sync_sub_and_fetch(&a, 1) == 2)
    CHECK(__sync_bool_compare_and_swap(&a, 2, 9) && a == 9)
    CHECK(!__sync_bool_compare_and_swap(&a, 2, 7) && a == 9)
    CHECK(__sync_val_compare_and_swap(&a, 1, 4) == 9 && a == 9)
    CHECK(__atomic_fetch_or(&a, 6, 5) == 9 && a == 15)
    CHECK(__atomic_compare_exchange_n(&a, &e, 7, 0, 5, 5) && a == 7)
    CHECK(!__atomic_compare_exchange_n(&a, &a, 7, 0, 5, 5) || a == 7)
    e = 1;
    CHECK(!__atomic_compare_exchange_n(&a, &e, 8, 0, 5, 5) && e == 7)
    CHECK(__atomic_exchange_n(&a, 2, 5) == 7)
    CHECK(__atomic_nand_fetch(&a, 3, 5) == -3)
    __atomic_exchange(&a, &n, &r, 5);
    CHECK(a == 4 && r == -3)
    __atomic_load(&a, &r, 5);
    CHECK(r == 4 && __atomic_load_n(&a, 5) == 4)
    CHECK(!__atomic_test_and_set(&f, 5))
    CHECK(__atomic_test_and_set(&f, 5))
    __atomic_clear(&f, 5);
    CHECK(f == 0)
    CHECK(__atomic_fetch_add(&p, sizeof *p, 5) == list && *p == 2)
    CHECK(__sync_lock_test_and_set(&p, list + 2) == list + 1 && *p == 3)
    __sync_synchronize();
    shared = 1;
    shared++;
    shared += 2;
    CHECK(atomic_fetch_add(&shared, 3) == 4)
    e = 7;
    CHECK(atomic_compare_exchange_strong(&shared, &e, 10) && shared == 10)
    CHECK(atomic_exchange(&shared, 5) == 10)
    CHECK(!atomic_flag_test_and_set(&flag))
    CHECK(atomic_flag_test_and_set(&flag))
    atomic_flag_clear(&flag);
    atomic_store(&where, &x);
    *atomic_load(&where) = 4;
    CHECK(x == 4)
    CHECK(__atomic_always_lock_free(4, 0))
    return 0;
}
