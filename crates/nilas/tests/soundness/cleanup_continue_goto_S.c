// never: unsafe
extern void reach_error(void);
static int count;
static void done(int *p) { count += *p; }
int main(void) {
    for (int i = 0; i < 2; i++) { int x __attribute__((cleanup(done))) = 3; if (i == 0) continue; goto out; }
out:
    if (count != 6) reach_error();
    return 0;
}
