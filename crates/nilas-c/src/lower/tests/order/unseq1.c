// unmodelled
int main(void) {
  int i=1; i=i++ + 1; if (i==2) reach_error();
  return 0;
}
