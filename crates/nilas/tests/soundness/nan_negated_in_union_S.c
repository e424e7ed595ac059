// never: unsafe
extern void reach_error(void);
int main(void){ union {double d; unsigned long u;} x; x.d = -__builtin_nan(""); if(!(x.u >> 63)) reach_error(); return 0; }
