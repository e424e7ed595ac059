// unknown
void reach_error(void); struct s { int *p; }; struct s *get(void); void g(void);
int main(void){ int x = 1; struct s *s = get(); if (!s) return 0; s->p = &x; g(); if (x != 1) reach_error(); return 0; }
