int n; int f(void){return ++n;}
int main(void) {
  CHECK((f()?:9)==1); CHECK(n==1); CHECK((0?:5)==5); int z=0; CHECK((z?:f())==2); char *p=0;
  CHECK(*(p?:"a")=='a');
  END
  return 0;
}
