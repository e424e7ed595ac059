// unknown
void reach_error(void); int *get(void); void g(void);
int main(void){ int *p = get(); if (!p) return 0; *p = 1; g(); if (*p != 1) reach_error(); return 0; }
