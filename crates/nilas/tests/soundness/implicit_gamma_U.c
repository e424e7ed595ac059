// never: safe
extern void reach_error(void);
int main(void){ double d=gamma(0.5); if(d>0.57&&d<0.58) reach_error(); return 0; }
