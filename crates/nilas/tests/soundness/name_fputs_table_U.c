// never: safe
extern void reach_error(void);
extern char **fputs_table(void);
int main(void) { char **t = fputs_table(); if (t && t[0] && t[0][0] == 'q') reach_error(); return 0; }
