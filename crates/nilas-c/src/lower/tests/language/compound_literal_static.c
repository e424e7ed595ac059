int *g=(int[]){1,2,3};
int main(void) {
  g[1]=7; CHECK(g[0]==1&&g[1]==7&&g[2]==3);
  END
  return 0;
}
