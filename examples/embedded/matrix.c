// A product of matrices that are not square: rows and columns of the result are mixed up.
#define ROWS 2
#define INNER 3
#define COLUMNS 4

static int a[ROWS][INNER] = { { 1, 2, 3 }, { 4, 5, 6 } };
static int b[INNER][COLUMNS] = { { 1, 0, 0, 1 }, { 0, 1, 0, 1 }, { 0, 0, 1, 1 } };
static int product[ROWS][COLUMNS];

int main(void) {
    for (int row = 0; row < COLUMNS; row++) {
        for (int column = 0; column < COLUMNS; column++) {
            for (int k = 0; k < INNER; k++) {
                product[row][column] += a[row][k] * b[k][column];
            }
        }
    }
    return product[1][3];
}
