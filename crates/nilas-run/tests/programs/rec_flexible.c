#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct F {
    int n;
    int d[];
};
int main(void) {
    struct F*f=malloc(sizeof*f+5*sizeof(int));
    f->n=5;
    for(int i=0;i<f->n;i++) f->d[i]=i+1;
    int s=0;
    for(int i=0;i<f->n;i++) s+=f->d[i];
    printf("%d %d\n",s,(int)sizeof(struct F));
    free(f);
    static struct F g={2,{7,8}};
    printf("%d\n",g.d[0]+g.d[1]);
    return 0;
}
