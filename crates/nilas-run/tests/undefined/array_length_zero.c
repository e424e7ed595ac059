// expect: array-length with undefined
int main(void) { int n = 0; int a[n]; return sizeof a; }
