int log_; static void f(int *p){ log_=log_*10+*p; }
#define CL __attribute__((cleanup(f)))
int ret(void){ CL int a=1; CL int b=2; return ++a; }
int lp(void){ for(int i=0;i<3;i++){ CL int x=i+1; if(i==1) continue; if(i==2) break; } return log_;
  }
int gt(int c){ CL int a=1; again:; CL int b=2; if(c-->0) goto again; return 5; }
int main(void) {
  CHECK(ret()==2); CHECK(log_==22); log_=0; CHECK(lp()==123); log_=0; CHECK(gt(1)==5);
  CHECK(log_==221); log_=0; int r=({ CL int z=7; z+1; }); CHECK(r==8&&log_==7); log_=0; {
  CL int q=4; { CL int w=5; goto end; } } end: CHECK(log_==54);
  END
  return 0;
}
