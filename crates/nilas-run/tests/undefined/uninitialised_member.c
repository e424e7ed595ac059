// expect: uninitialised-read with ends
int main(void) { struct { int a, b; } s; s.a = 1; return s.b == 3 && s.a == 4; }
