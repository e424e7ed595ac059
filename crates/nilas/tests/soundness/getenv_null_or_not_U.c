// never: safe
#include <stdlib.h>
extern void reach_error(void);
int main(void) { if (!getenv("NILAS_NO_SUCH_VARIABLE")) reach_error(); return 0; }
