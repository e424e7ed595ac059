// expect: division-by-zero
int main(int argc, char **argv) { return 10 / (argc - 1); }
