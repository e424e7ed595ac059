#include <stdio.h>
int main(void) {
    static const int offsets[]={&&add-&&add,&&sub-&&add,&&end-&&add};
    unsigned char code[]={0,0,1,0,2};
    int pc=0,acc=2;
    goto *(&&add+offsets[code[pc++]]);
add:
    acc+=3;
    goto *(&&add+offsets[code[pc++]]);
sub:
    acc-=1;
    goto *(&&add+offsets[code[pc++]]);
end:
    printf("%d %d\n",acc,pc);
    return 0;
}
