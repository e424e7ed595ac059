// safe
int main(void) {
  char s[4]="abc",d[4]; char*p=d,*q=s; while((*p++=*q++)); if (d[2]!='c') reach_error();
  int a[3]={1,2,3},n=0,b[3]; for(int k=0;k<3;k++) b[n++]=a[k]; if (b[2]!=3) reach_error();
  return 0;
}
