// unknown
void reach_error(void); int calls; static int cmp(const void *a, const void *b) { calls++; return *(const int *)a - *(const int *)b; } void sort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));
int main(void){ int v[2] = { 2, 1 }, w = 5; sort(v, 2, sizeof v[0], cmp); if (w != 5) reach_error(); return 0; }
