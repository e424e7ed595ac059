// unknown
void reach_error(void); struct s { int *p; }; extern struct s s; void g(void);
int main(void){ int x = 1; s.p = &x; g(); if (x != 1) reach_error(); return 0; }
