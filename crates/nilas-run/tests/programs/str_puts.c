#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    puts("line");
    putchar('a');
    putchar('\n');
    fputs("f",stdout);
    fputc('g',stdout);
    putc('\n',stdout);
    fprintf(stdout,"%d\n",5);
    fwrite("xyz\n",1,4,stdout);
    return 0;
}
