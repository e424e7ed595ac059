#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char g[6][7]={"......","..#...","...#..",".###..","......","......"};
    for(int t=0;t<3;t++) {
        char h[6][7];
        for(int i=0;i<6;i++) {
            for(int j=0;j<6;j++) {
                int n=0;
                for(int a=-1;a<2;a++)for(int b=-1;b<2;b++)if((a||b)&&i+a>=0&&i+a<6&&j+b>=0&&j+b<6&&g[i+a][j+b]=='#')n++;
                h[i][j]=n==3||(n==2&&g[i][j]=='#')?'#':'.';
            }
            h[i][6]=0;
        }
        memcpy(g,h,sizeof g);
    }
    for(int i=0;i<6;i++)puts(g[i]);
    return 0;
}
