// expect: unknown
extern void reach_error(void);
int main() { int z = 0; int x = 1 / z; if (x) reach_error(); return 0; }
