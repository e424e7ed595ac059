// expect: array-length
int main(void) { int n = -2; int a[n]; return sizeof a; }
