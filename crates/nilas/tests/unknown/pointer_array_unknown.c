// unknown
void reach_error(void); void f(int **, int);
int main(void){ int x = 0; int *b[40]; b[0] = &x; f(b, 40); if (b[0] == 0) reach_error(); return 0; }
