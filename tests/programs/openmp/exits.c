#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    double s = 0;
    if (n % 2 == 0) {
        for (int i = 0; i < n; i++)
            s += 1.0;
        printf("%g\n", s);
        exit(EXIT_SUCCESS);
    }
    for (int i = 0; i < 2 * n; i++)
        s += 2.0;
    if (s < 0) {
        printf("wrong\n");
        abort();
    } else {
        for (int i = 0; i < 3 * n; i++)
            s += 3.0;
        printf("%g\n", s);
        exit(0);
    }
}
