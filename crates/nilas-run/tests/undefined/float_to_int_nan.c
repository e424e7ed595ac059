// expect: float-to-int-overflow
int main(void) { double z = 0; return (int)(z / z); }
