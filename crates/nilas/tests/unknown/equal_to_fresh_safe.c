// safe
void reach_error(void); int *get(void);
int main(void){ int x = 1; int *p = get(); if (p == &x) reach_error(); return 0; }
