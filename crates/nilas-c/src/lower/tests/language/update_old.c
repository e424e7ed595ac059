int a[3]; int i; int *f(void){ i++; return &a[i]; }
int main(void) {
  *f()+=5; CHECK(i==1&&a[1]==5); a[i]++; CHECK(a[1]==6); int x=3; x<<=x-1; CHECK(x==12); x^=x;
  CHECK(x==0); unsigned char c=250; c+=10; CHECK(c==4); c*=100; CHECK(c==144); int k=5; k%=3;
  CHECK(k==2); float q=3; q/=2; CHECK(q==1.5f); c=3; c*=1.5; CHECK(c==4);
  END
  return 0;
}
