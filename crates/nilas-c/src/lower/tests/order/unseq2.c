// unmodelled
int main(void) {
  int a[3]={0},i=0; a[i]=i++; if (a[0]==0) reach_error();
  return 0;
}
