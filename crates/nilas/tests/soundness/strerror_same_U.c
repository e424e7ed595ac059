// never: safe
extern void reach_error(void);
#include <string.h>
int main(void){ char*a=strerror(2); char*b=strerror(2); if(a==b) reach_error(); return 0; }
