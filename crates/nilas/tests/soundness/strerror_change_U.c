// never: safe
extern void reach_error(void);
#include <string.h>
int main(void){ char*a=strerror(12345); char c=a[14]; char*b=strerror(67890); if(a[14]!=c) reach_error(); return 0; }
