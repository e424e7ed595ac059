#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdatomic.h>
int main(void) {
    atomic_int a=5;
    atomic_fetch_add(&a,3);
    printf("%d\n",a);
    int e=8;
    printf("%d ",atomic_compare_exchange_strong(&a,&e,20));
    printf("%d\n",atomic_load(&a));
    int y=1;
    printf("%d ",__sync_fetch_and_add(&y,4));
    printf("%d ",__sync_bool_compare_and_swap(&y,5,9));
    printf("%d ",__atomic_exchange_n(&y,3,0));
    printf("%d\n",y);
    return 0;
}
