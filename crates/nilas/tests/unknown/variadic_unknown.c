// unknown
void reach_error(void); int scan(const char *, ...);
int main(void){ int x = 0; scan("%d", &x); if (x == 4) reach_error(); return 0; }
