// never: unsafe
extern void reach_error(void);
int main(void) { double d = -3.99; if ((int)d != -3 || (unsigned char)200.7f != 200) reach_error(); return 0; }
