// expect: signed-overflow with overflow
int main(void) { int a = 65536; return a * a; }
