int atoi(const char *);
int printf(const char *, ...);
void exit(int);

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    int m = n / 2;
    int count = 0;
    double x[n];
    if (argc < 2) {
        printf("usage\n");
        exit(1);
    }
    for (int i = n - 1; i >= 0; i -= 3)
        count++;
    for (int i = 0; i < n; i++)
        for (int j = i; j < (n < i + m ? n : i + m); j++)
            count++;
    for (int b = 0; b < (n + 3) / 4; b++)
        for (int k = 0; k <= b % 5; k++)
            count++;
    for (int i = 1; i <= n; i *= 2)
        count++;
    int s = n;
    while (s > 1) {
        s /= 2;
        count++;
    }
    unsigned u = n;
    while (u-- > 0)
        count++;
    int w = n;
    do {
        count++;
        w -= 2;
    } while (w > 0);
    for (int i = 0; i < n; i++) {
        if (i == 3)
            continue;
        if (x[i] > 2)
            count++;
        else
            count += 2;
    }
    for (int i = 0; i < n; i++) {
        if (x[i] == 7)
            break;
        count++;
    }
    for (int i = 0; i * i < n; i++)
        count++;
    while (x[0] < 5)
        x[0] *= 2;
    switch (m) {
    case 1:
        count++;
        break;
    case 2:
        count += 2;
    default:
        count += 3;
    }
    switch ((int)x[0]) {
    case 1:
        count++;
        break;
    case 2:
        count--;
        break;
    }
    for (unsigned d = n; d >= 0; d--)
        count++;
    printf("%d\n", count);
    return 0;
}
