// never: unsafe
extern void reach_error(void);
struct S { char a[4]; char b[8]; };
int main(void) {
    struct S s;
    if (__builtin_object_size(&s, 0) != 12) reach_error();
    return 0;
}
