// expect: not-a-number with ends
int main(void) { double x = 0; return x / x == 3; }
