static void power(int n)
{
    if (n > 1) power(n - 1), power(n - 3);
}
int atoi(const char *);
int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
#pragma pamela region
    for (int i = 0; i < n; i++)
        power(i);
    return 0;
}
