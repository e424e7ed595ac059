extern void reach_error(void);
extern int device(int *status);
int main(void) {
    int status = 0;
    if (device(&status) == 0 && status == 3) reach_error();
    return 0;
}
