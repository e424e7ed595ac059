// never: unsafe
extern void reach_error(void);
#pragma pack(push, 2)
struct T { void *p[3]; char b : 5 __attribute__((aligned(8))); };
#pragma pack(pop)
int main(void) {
    if (sizeof(struct T) != 3 * sizeof(void *) + 2) reach_error();
    if (__alignof__(struct T) != 2) reach_error();
    return 0;
}
