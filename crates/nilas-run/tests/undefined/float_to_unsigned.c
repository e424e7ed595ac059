// expect: float-to-int-overflow
int main(void) { float f = -1.0f; return (unsigned)f; }
