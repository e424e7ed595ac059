static const struct {const char *n; int v;} t[]={{"a",1},{"bc",2}};
int main(void) {
  int s=0; for(unsigned i=0;i<sizeof t/sizeof*t;i++) s+=t[i].v+t[i].n[0]; CHECK(s==3+97+98);
  END
  return 0;
}
