int atoi(const char *);
void *calloc(unsigned long, unsigned long);

static int *a, *b;
static void merge_sort(int lo, int hi) {
    if (hi - lo < 2) return;
    int mid = (lo + hi) / 2;
    merge_sort(lo, mid);
    merge_sort(mid, hi);
    for (int i = lo; i < hi; i++) b[i] = a[i];
    for (int i = lo; i < hi; i++) a[i] = b[i] + 1;
}
static void sort2(int *x, int l, int r) {
    if (l < r) {
        int m = l + (r - l) / 2;
        sort2(x, l, m);
        sort2(x, m + 1, r);
        for (int k = l; k <= r; k++) x[k]++;
    }
}
static void fft(double *x, int n) {
    if (n == 1) return;
    fft(x, n / 2);
    fft(x + n / 2, n / 2);
    for (int k = 0; k < n / 2; k++) x[k] += x[k + n / 2];
}
static int fact(int n) { if (n <= 1) return 1; return n * fact(n - 1); }
static void hanoi(int n, int from, int to, int by) {
    if (n == 0) return;
    hanoi(n - 1, from, by, to);
    a[0]++;
    hanoi(n - 1, by, to, from);
}
static void strassen(double *c, int n) {
    if (n <= 16) { for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) c[i] += j; return; }
    for (int s = 0; s < 7; s++) strassen(c, n / 2);
    for (int i = 0; i < n * n; i++) c[i] += i;
}
static int search(int lo, int hi, int x) {
    if (lo > hi) return -1;
    int mid = (lo + hi) / 2;
    if (a[mid] == x) return mid;
    if (a[mid] < x) return search(mid + 1, hi, x);
    return search(lo, mid - 1, x);
}
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static void ins(int n) { if (n > 1) { ins(n - 1); for (int i = n - 1; i > 0; i--) a[i] = a[i - 1]; } }
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    a = calloc(n, 4); b = calloc(n, 4); double *x = calloc(n, 8);
    merge_sort(0, n);
    sort2(a, 0, n - 1);
    fft(x, n);
    fact(n);
    hanoi(n, 0, 1, 2);
    strassen(x, n);
    search(0, n - 1, 3);
    fib(n);
    ins(n);
    return 0;
}
