// expect: unsafe
#include <stdlib.h>
#include <time.h>
extern void reach_error(void);
int main(void) { srand(time(0)); if (rand() % 3 == 1) reach_error(); return 0; }
