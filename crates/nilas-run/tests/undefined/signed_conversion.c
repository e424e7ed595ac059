// expect: signed-conversion with ends
int main(void) { int x = 200; signed char c = x; return c == 3; }
