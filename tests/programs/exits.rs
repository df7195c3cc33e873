//! Bodies of `main` with early exits, several ways through an iteration, tables of sizes, structures of values and calls by address.

use super::idioms::Wanted::{self, Counted, Told};

/// The name, what is to be of it, what stands in front of `main`, and its body.
pub const EXITS_AND_TABLES: [(&str, Wanted, &str, &str); 22] = [
    (
        "structure_of_values",
        Counted,
        "typedef int whole; struct size { whole rows; int cols; char name[4]; }; struct box { struct size s; int deep, other[2]; };",
        "struct size a = { n, m, \"ab\" }, b = { .cols = a.rows }; struct box c = { { m, b.cols }, .other = { 1, 2 }, .deep = 2 }, z = { 0 };\n\
         for (int i = 0; i < a.rows + b.rows + b.cols + z.s.rows; i++) s += 1;\n\
         for (int i = 0; i < c.s.rows * c.deep + c.s.cols; i++) t += 1;",
    ),
    (
        "structure_of_bits",
        Told,
        "struct flags { int few : 3, rest : 20; };",
        "struct flags f = { 9, 5 }; for (int i = 0; i < f.few + 8; i++) s += 1; for (int i = 0; i < f.rest; i++) t += 1;",
    ),
    (
        "structure_returned",
        Counted,
        "typedef struct { int x, y; } pair; static pair both(int x, int y) { return (pair){ .y = x, .x = y + 1 }; }",
        "pair p = both(n, m), q = p; q = (pair){ m, 2 }; for (int i = 0; i < p.x + p.y; i++) s += 1; for (int i = 0; i < q.x + q.y; i++) t += 1;",
    ),
    (
        "break_if",
        Counted,
        "",
        "for (int i = 0; i < n; i++) { if (2 * i >= m) break; s += 1; } t += 1;",
    ),
    // Early exits, and several ways through an iteration.
    (
        "breaks_first",
        Counted,
        "",
        "for (int i = 0; i < n; i++) { if (i > m) break; if (3 * i >= 2 * m + 1) { break; } s += 1; } t += 1;",
    ),
    (
        "break_either",
        Counted,
        "",
        "int i = 0; while (1) { if (i >= n || i > m) break; i += 2; s += 1; } t += 1;",
    ),
    (
        "break_within",
        Counted,
        "",
        "for (int i = 0; i < n; i++) { s += 1; if (i >= m) break; t += 1; }",
    ),
    (
        "either_step",
        Counted,
        "",
        "int i = 0; while (i < n) { if (i > m) { i++; s += 1; } else { t += 1; i = i + 1; } }",
    ),
    (
        "uneven_steps",
        Told,
        "",
        "int i = 0; while (i < n) { if (rand() % 2) { i += 2; s += 1; } else { i += 1; t += 1; } }",
    ),
    (
        "counters_meet",
        Counted,
        "",
        "int a = 0, b = n + m; while (a <= b) { a += 2; b--; s += 1; }",
    ),
    (
        "counters_part",
        Told,
        "",
        "int a = 0, b = n; while (a < b) { a++; b += m % 2; s += 1; if (s > 40) break; }",
    ),
    (
        "steps_and_continues",
        Counted,
        "",
        "int i = n; while (i > m) { i -= 3; if (i % 2) continue; s += 1; }",
    ),
    // Tables of sizes, and calls by address.
    (
        "table_of_sizes",
        Counted,
        "",
        "int size[3] = { n, 2 * n, 3 * m }; for (int l = 0; l < 3; l++) for (int i = 0; i < size[l]; i++) s += 1;",
    ),
    (
        "table_backwards",
        Counted,
        "static const int table[4] = { 3, 0, 1 };",
        "for (int l = 3; l >= 0; l--) { int k = table[l] + n; for (int i = 0; i < table[l]; i++) s += k; for (int i = 0; i < k; i++) t += 1; }",
    ),
    (
        "table_is_written",
        Told,
        "",
        "int size[2] = { n, m }; for (int l = 0; l < 2; l++) { for (int i = 0; i < size[l]; i++) s += 1; size[1 - l] += (int) s % 3; }",
    ),
    (
        "bound_in_table_changes",
        Told,
        "",
        "int size[2] = { n, m }; for (int i = 0; i < size[0]; i++) { size[0]--; s += 1; }",
    ),
    (
        "bound_in_table_changes_somewhere",
        Told,
        "",
        "int size[2] = { n, m }, i = 0; while (i < size[0]) { if (s > 2) i += 1; else i += 1; size[i % 2]--; s += 1; }",
    ),
    (
        "target_in_structure",
        Counted,
        "static void work(int n) { for (int i = 0; i < n; i++) printf(\"w\"); } struct ops { void (*run)(int); };",
        "struct ops o = { work }; o.run(n); o.run(m);",
    ),
    (
        "target_of_others",
        Counted,
        "static int once(int n) { return n + 1; } static int twice(int a, int b) { for (int i = 0; i < a; i++) printf(\"t\"); return b; }\n\
         static int (*first)(int) = once; static int (*second)(int, int) = twice;",
        "int k = first(n); k += second(k, m); s += 1;",
    ),
    (
        "two_targets",
        Told,
        "static void up(int n) { for (int i = 0; i < n; i++) printf(\"u\"); } static void down(int n) { printf(\"d\"); }",
        "void (*act)(int) = n > 3 ? up : down; act(m);",
    ),
    (
        "target_calls_itself",
        Told,
        "static int (*again)(int); static int down(int n) { printf(\"d\"); return n > 0 ? again(n - 1) : 0; }",
        "again = down; s = again(n);",
    ),
    (
        "no_target",
        Told,
        "static void (*act)(int);",
        "if (n > 40) act(m); s += 1;",
    ),
];
