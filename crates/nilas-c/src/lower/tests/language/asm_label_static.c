static int hidden __asm__("vis")=3; extern int vis; extern int other __asm__("vis");
int main(void) {
  vis=7; CHECK(hidden==7); other++; CHECK(hidden==8&&vis==8); CHECK(&other==&vis);
  END
  return 0;
}
