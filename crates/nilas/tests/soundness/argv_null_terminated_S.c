// never: unsafe
extern void reach_error(void);
int main(int argc, char **argv) { if (argv[argc]) reach_error(); return 0; }
