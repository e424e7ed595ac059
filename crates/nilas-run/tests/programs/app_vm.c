#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum {
    PUSH,ADD,MUL,JNZ,DUP,DEC,PRINT,HALT
};
int main(void) {
    int code[]={PUSH,5,DUP,PRINT,DEC,DUP,JNZ,2,HALT};
    int st[16],sp=0,pc=0;
    for(;;)switch(code[pc++]) {
        case PUSH: st[sp++]=code[pc++];
        break;
        case ADD: sp--;
        st[sp-1]+=st[sp];
        break;
        case MUL: sp--;
        st[sp-1]*=st[sp];
        break;
        case DUP: st[sp]=st[sp-1];
        sp++;
        break;
        case DEC: st[sp-1]--;
        break;
        case PRINT: printf("%d ",st[--sp]);
        break;
        case JNZ: if(st[--sp])pc=code[pc];
        else pc++;
        break;
        case HALT: puts("");
        return sp;
    }
}
