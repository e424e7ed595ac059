// unknown
void reach_error(void); int g; static int cb(int x) { g = x; return 0; } struct ops { int (*open)(int); int n; }; void reg(struct ops *); static struct ops o = { cb, 1 };
int main(void){ reg(&o); if (g == 42) reach_error(); return 0; }
