// expect: unreachable-reached
int main(int argc, char **argv) { if (argc > 0) __builtin_unreachable(); return 0; }
