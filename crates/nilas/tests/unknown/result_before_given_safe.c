// safe
void reach_error(void); void reg(int *); int *get(void);
int main(void){ int x = 0; int *p = get(); x = 0; if (p) { *p = 3; if (x == 3) reach_error(); } reg(&x); return 0; }
