// safe
void reach_error(void); static int count; void log_it(const char *, ...);
int main(void){ for (int i = 0; i < 5; i++) { count++; log_it("%d", i); } if (count != 5) reach_error(); return 0; }
