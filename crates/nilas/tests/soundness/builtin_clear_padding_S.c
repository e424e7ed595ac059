// never: unsafe
extern void reach_error(void);
struct S{char c;int i;}; int main(void){ struct S s; __builtin_memset(&s,255,sizeof s); __builtin_clear_padding(&s); if(((char*)&s)[1]!=0) reach_error(); return 0; }
