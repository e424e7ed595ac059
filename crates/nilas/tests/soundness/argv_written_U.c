// expect: unsafe
extern void reach_error(void);
int main(int argc, char **argv) { if (argc > 0 && argv[0]) { argv[0][0] = 'x'; if (argv[0][0] == 'x') reach_error(); } return 0; }
