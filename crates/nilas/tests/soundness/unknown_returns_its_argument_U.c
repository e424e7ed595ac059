// never: safe
extern void reach_error(void);
extern char *skip(char *);
int main(void) { char s[] = "ab"; char *p = skip(s); if (p == s + 1) { *p = 'x'; if (s[1] == 'x') reach_error(); } return 0; }
