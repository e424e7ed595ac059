// unknown
void reach_error(void); int **f(int **);
int main(void){ int x = 0, *q = &x; int **p = f(&q); if (p && p == &q) { **p = 0; f(p); if (x == 3) reach_error(); } return 0; }
