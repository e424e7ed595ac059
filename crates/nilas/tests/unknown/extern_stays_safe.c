// safe
void reach_error(void); extern int x;
int main(void){ int a = x; if (x != a) reach_error(); return 0; }
