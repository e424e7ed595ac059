// expect: unsigned-overflow with ends
int main(void) { unsigned x = 0; return x - 1 == 5; }
