// never: unsafe
#include <stdlib.h>
extern void reach_error(void);
int main(void) { srand(42); int a = rand(); srand(42); if (rand() != a) reach_error(); return 0; }
