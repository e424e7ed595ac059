int main(void) {
  int i=0,n=0; do { i++; if(i==2) continue; n++; } while(i<4); CHECK(n==3); while(1){
  if(++i>6) break; } CHECK(i==7); for(;;) { switch(i){ case 7: i=0; continue; case 0: goto out; } }
  out: CHECK(i==0);
  END
  return 0;
}
