_Thread_local int t=3; static __thread int u;
int main(void) {
  t++; u=t; CHECK(u==4); static _Thread_local int v=8; CHECK(v==8);
  END
  return 0;
}
