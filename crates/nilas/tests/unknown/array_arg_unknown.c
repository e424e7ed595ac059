// unknown
void reach_error(void); void f(char *, int);
int main(void){ char b[100]; b[0] = 0; f(b, 100); if (b[0] == 'x') reach_error(); return 0; }
