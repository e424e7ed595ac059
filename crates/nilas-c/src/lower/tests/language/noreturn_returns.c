void stop(void) __attribute__((noreturn)); void stop(void){ exit(0); }
int main(void) {
  int x=1; if(x==2) stop(); CHECK(x==1);
  END
  return 0;
}
