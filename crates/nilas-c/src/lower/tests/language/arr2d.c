int main(void) {
  int m[2][3]={{1,2},{3}}; CHECK(m[0][2]==0&&m[1][0]==3); int *p=&m[0][0]; CHECK(p[1]==2);
  int (*q)[3]=m; q++; CHECK((*q)[0]==3); CHECK(sizeof m==24); char s[2][4]={"ab","cd"};
  CHECK(s[1][1]=='d'&&s[0][3]==0);
  END
  return 0;
}
