int f(int a,int b){ switch(a){ case 1: switch(b){ case 1: break; case 2: return 2; } return 3;
  case 2: for(;;){ if(b) break; return 4; } return 5; default: ; } return 6; }
int main(void) {
  CHECK(f(1,1)==3); CHECK(f(1,2)==2); CHECK(f(2,0)==4); CHECK(f(2,1)==5); CHECK(f(3,3)==6);
  END
  return 0;
}
