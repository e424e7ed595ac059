// expect: unsafe
// options: --engine ic3cfa
extern void reach_error(void); int main(int argc,char**argv){ int *r=(int*)((char*)argv+1); int x=*r; (void)x; reach_error(); return 0; }
