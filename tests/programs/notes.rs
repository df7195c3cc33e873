//! What is not understood is said, with its place, and the exit code is 3; files are files, whatever they are called.

use std::fs;

use super::{directory, pamela};

/// A program, and what is said of it.
const PROGRAMS: [(&str, &str); 10] = [
    (
        "MPI_Send(x, n, 0, 0, 0, 0);",
        "`MPI_Send` has a communicator",
    ),
    ("pthread_create(&t, 0, worker, 0);", "it runs `worker`"),
    ("thrd_create(&t, worker, 0);", "threads outside of OpenMP"),
    ("shmem_barrier_all();", "memory that processes share"),
    ("cudaMemcpy(x, x, n, 1);", "makes a device work"),
    ("clEnqueueNDRangeKernel(x, n);", "makes a device work"),
    ("nobody_knows(x, n);", "is not defined in the files"),
    ("qsort(x, n, 8, slow);", "`qsort` calls `slow`"),
    (
        "memset(x, 0, x[3]);",
        "the size of the work of `memset` depends on data",
    ),
    ("signal(3, handler);", "signals"),
];

#[test]
fn what_is_not_understood_is_said_with_its_place() {
    let directory = directory("notes");
    for (call, said) in PROGRAMS {
        let text = format!(
            "static long t; static int k[9];\n\
             static void *worker(void *p) {{ for (int i = 0; i < 1000; i++) k[i % 9]++; return p; }}\n\
             static int slow(const void *a, const void *b) {{ for (int i = 0; i < 9; i++) k[i]++; return a < b; }}\n\
             static void handler(int number) {{ t = number; }}\n\
             void kernel(int n, double *x)\n{{\n    {call}\n}}\n"
        );
        fs::write(directory.join("note.c"), text).expect("a program");
        let command = ["model", "note.c", "--entry", "kernel"];
        let (model, errors, status) = pamela(&command, &directory);
        assert_eq!(status, Some(3), "{call}\n{model}{errors}");
        assert!(
            errors.contains("note.c:7") && errors.contains(said),
            "{call}\n{errors}"
        );
        assert!(errors.contains("#pragma pamela cost("), "{call}\n{errors}");
        let strict = [&command[..], &["--strict"]].concat();
        assert_eq!(pamela(&strict, &directory).2, Some(1), "{call}");
    }
}

#[test]
fn library_calls_of_known_order_cost_it() {
    let directory = directory("orders");
    let text = "void *memset(void *, int, unsigned long);\n\
                static int less(const void *a, const void *b) { return *(int *)a - *(int *)b; }\n\
                void kernel(int n, double *x)\n{\n    memset(x, 0, n * sizeof(double));\n    qsort(x, n, 8, less);\n}\n";
    fs::write(directory.join("order.c"), text).expect("a program");
    let (model, errors, status) = pamela(&["model", "order.c", "--entry", "kernel"], &directory);
    assert_eq!(status, Some(0), "{errors}");
    assert!(model.contains("8 * n * t_memset"), "{model}");
    assert!(model.contains("n * t_qsort * log2(max(n, 1))"), "{model}");
}

#[test]
fn a_file_whose_name_begins_with_a_dash_is_one() {
    let directory = directory("dash");
    fs::write(directory.join("-o.c"), "int main(void) { return 0; }\n").expect("a program");
    let (_, errors, status) = pamela(&["model", "--", "-o.c"], &directory);
    assert_eq!(status, Some(0), "{errors}");
}
