// unknown
void reach_error(void); extern int x; void f(void);
int main(void){ int a = x; f(); if (x != a) reach_error(); return 0; }
