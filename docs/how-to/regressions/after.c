/* Keeps one of each number, in any order. */
int unique(int n, const int *a, int *kept)
{
    int count = 0;
    for (int i = 0; i < n; i++) {
        int seen = 0;
        kept[count] = a[i];
        for (int j = 0; j < i; j++)
            seen |= a[j] == a[i];
        count += !seen;
    }
    return count;
}
