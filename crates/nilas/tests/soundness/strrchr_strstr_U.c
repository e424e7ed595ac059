// never: safe
#include <string.h>
extern void reach_error(void);
int main(void) { char s[] = "a/b/c"; *strrchr(s, '/') = 0; *strstr(s, "/b") = '-'; if (strcmp(s, "a-b") == 0) reach_error(); return 0; }
