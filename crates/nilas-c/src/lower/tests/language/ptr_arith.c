int main(void) {
  int a[5]={1,2,3,4,5}; int *p=a+4,*q=&a[1]; CHECK(p-q==3); CHECK(q<p); CHECK(*--p==4);
  CHECK(p[-2]==2); CHECK(2[a]==3); int (*r)[5]=&a; CHECK((*r)[2]==3);
  CHECK((char*)(r+1)-(char*)r==20); p=a; CHECK(*p++==1&&*p==2); CHECK(++*p==3&&a[1]==3);
  END
  return 0;
}
