// never: safe
// options: --64
extern void reach_error(void);
int main(void){ unsigned __int128 x=1; if((__builtin_bswap128(x)>>120)==1) reach_error(); return 0; }
