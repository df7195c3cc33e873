/* Keeps one of each number; the numbers are sorted. */
int unique(int n, const int *a, int *kept)
{
    int count = 0;
    for (int i = 0; i < n; i++) {
        kept[count] = a[i];
        count += i == 0 || a[i] != a[i - 1];
    }
    return count;
}
