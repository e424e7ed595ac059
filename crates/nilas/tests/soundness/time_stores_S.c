// never: unsafe
#include <time.h>
extern void reach_error(void);
int main(void) { time_t t; time_t r = time(&t); if (r != t) reach_error(); return 0; }
