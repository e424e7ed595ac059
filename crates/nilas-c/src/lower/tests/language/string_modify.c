int main(void) {
  char s[]="abc"; s[1]='x'; CHECK(s[1]=='x'&&s[3]==0); CHECK(sizeof s==4); char t[3]="abc";
  CHECK(t[2]=='c'); char *p="ab" "cd"; CHECK(p[3]=='d'&&p[4]==0); CHECK("abc"[1]=='b');
  CHECK(sizeof("a\0b")==4);
  END
  return 0;
}
