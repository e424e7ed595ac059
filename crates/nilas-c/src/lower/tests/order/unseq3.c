// unmodelled
void h(int a,int b){ if (a==b) reach_error(); }
int main(void) {
  int i=1; h(i++,i++);
  return 0;
}
