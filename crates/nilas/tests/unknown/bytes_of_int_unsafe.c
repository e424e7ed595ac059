// unsafe
void reach_error(void); char *bytes(int *);
int main(void){ int x = 0; char *p = bytes(&x); x = 0; if (p == (char *)&x) { *p = 1; if (x == 1) reach_error(); } return 0; }
