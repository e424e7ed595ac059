int copy(int n){ int k=0; int c=(n+3)/4; switch(n%4){ case 0: do { k++; case 3: k++; case 2: k++;
  case 1: k++; } while(--c>0); } return k; }
int main(void) {
  CHECK(copy(1)==1); CHECK(copy(5)==5); CHECK(copy(7)==7); CHECK(copy(8)==8);
  END
  return 0;
}
