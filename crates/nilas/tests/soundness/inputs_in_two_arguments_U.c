// expect: unsafe
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int H(int v){int x=__VERIFIER_nondet_int(); return x==v;}
int add(int a,int b) { return a+b; }
int main(){ if(add(H(-77777),H(300))!=2) return 0; if (H(-9)) reach_error(); return 0;}
