// expect: uninitialised-read with uninitialised
int main(void) { int x; return x; }
