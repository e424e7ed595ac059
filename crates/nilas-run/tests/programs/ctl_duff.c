#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char from[20]="abcdefghijklmnopqrs",to[20];
    char*f=from,*t=to;
    int count=20;
    int n=(count+7)/8;
    switch(count%8) {
        case 0: do {
            *t++=*f++;
            case 7: *t++=*f++;
            case 6: *t++=*f++;
            case 5: *t++=*f++;
            case 4: *t++=*f++;
            case 3: *t++=*f++;
            case 2: *t++=*f++;
            case 1: *t++=*f++;
        } while(--n>0);
    }
    puts(to);
    return 0;
}
