int x; int x=5; int x; extern int x; static int y; static int y; int arr[];
int main(void) {
  CHECK(x==5); CHECK(y==0); arr[0]=3; CHECK(arr[0]==3);
  END
  return 0;
}
