// expect: out-of-bounds-read
int main(void) { char c[5] = "abcd"; return *(int *)(c + 2); }
