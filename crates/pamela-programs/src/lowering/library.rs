//! Functions outside the files of a program: known facts about their time and their writes.

/// Growth of the time of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The time is part of the surrounding straight code.
    Constant,
    /// The product of the given arguments, by position; `unit` names the unit of the product.
    Product(&'static [usize], &'static str),
    /// `n log n` comparisons of an argument.
    Sorting(usize),
    /// `log n` comparisons of an argument.
    Searching(usize),
    /// The length of a string argument.
    Length(usize),
}

/// Functions of known order, and whether they write through their arguments.
const ORDERS: [(&str, Order, bool); 42] = {
    use Order::*;
    const BYTE: &str = "one byte";
    const FLOP: &str = "one multiplication";
    [
        ("memset", Product(&[2], BYTE), true),
        ("memcpy", Product(&[2], BYTE), true),
        ("memmove", Product(&[2], BYTE), true),
        ("memcmp", Product(&[2], BYTE), false),
        ("memchr", Product(&[2], BYTE), false),
        ("mempcpy", Product(&[2], BYTE), true),
        ("bcopy", Product(&[2], BYTE), true),
        ("bzero", Product(&[1], BYTE), true),
        ("wmemset", Product(&[2], "one character"), true),
        ("wmemcpy", Product(&[2], "one character"), true),
        ("strncpy", Product(&[2], BYTE), true),
        ("strncmp", Product(&[2], BYTE), false),
        ("calloc", Product(&[0, 1], BYTE), false),
        ("realloc", Product(&[1], BYTE), false),
        ("reallocarray", Product(&[1, 2], BYTE), false),
        ("fread", Product(&[1, 2], BYTE), true),
        ("fwrite", Product(&[1, 2], BYTE), false),
        ("read", Product(&[2], BYTE), true),
        ("write", Product(&[2], BYTE), false),
        ("pread", Product(&[2], BYTE), true),
        ("pwrite", Product(&[2], BYTE), false),
        ("getrandom", Product(&[1], BYTE), true),
        ("qsort", Sorting(1), true),
        ("qsort_r", Sorting(1), true),
        ("mergesort", Sorting(1), true),
        ("heapsort", Sorting(1), true),
        ("bsearch", Searching(2), false),
        ("strlen", Length(0), false),
        ("strcpy", Length(1), true),
        ("strcat", Length(1), true),
        ("strdup", Length(0), false),
        ("strcmp", Length(0), false),
        ("strcasecmp", Length(0), false),
        ("strchr", Length(0), false),
        ("strrchr", Length(0), false),
        ("strstr", Length(0), false),
        ("cblas_ddot", Product(&[0], FLOP), false),
        ("cblas_daxpy", Product(&[0], FLOP), false),
        ("cblas_dscal", Product(&[0], FLOP), false),
        ("cblas_dcopy", Product(&[0], FLOP), false),
        ("cblas_dgemv", Product(&[2, 3], FLOP), false),
        ("cblas_dgemm", Product(&[3, 4, 5], FLOP), false),
    ]
};

/// Functions whose time is bounded or does not grow with the arguments. They write only through an address listed
/// before a name.
const CONSTANT: &str = "
abs labs llabs fabs fabsf fabsl sqrt sqrtf sqrtl cbrt cbrtf exp expf expl exp2 exp2f expm1 log logf logl log2 log2f log10
log10f log1p pow powf powl sin sinf sinl cos cosf cosl tan tanf asin acos atan atanf atan2 atan2f sinh cosh tanh tanhf
asinh acosh atanh floor floorf floorl ceil ceilf ceill round roundf lround llround rint nearbyint trunc truncf fmod fmodf
remainder fmin fminf fmax fmaxf hypot hypotf copysign ldexp frexp modf erf erfc tgamma lgamma fma fdim isnan isinf isfinite
signbit sincos scalbn ilogb logb nextafter
cabs cabsf creal cimag carg cexp conj csqrt cpow creall cimagl
malloc free aligned_alloc posix_memalign memalign valloc alloca
printf fprintf sprintf snprintf puts fputs putchar putc fputc vprintf vfprintf vsnprintf perror fflush
scanf fscanf sscanf getchar getc fgetc ungetc fgets
fopen fclose fseek ftell rewind feof ferror fileno setvbuf setbuf remove rename tmpfile open close lseek isatty unlink
rand srand rand_r random srandom drand48 erand48 lrand48 nrand48 mrand48 srand48 arc4random
time clock clock_gettime gettimeofday difftime localtime gmtime mktime strftime ctime getrusage times sysconf
atoi atol atoll atof strtol strtoll strtoul strtoull strtod strtof getenv setenv getopt getopt_long getpid gethostname
isalpha isdigit isalnum isspace isupper islower ispunct isprint isxdigit toupper tolower
assert __assert_fail __assert exit abort _exit _Exit quick_exit err errx warn warnx
div ldiv lldiv ffs ffsl ffsll sched_getcpu va_start va_end va_arg __errno_location errno strerror
omp_init_lock omp_destroy_lock omp_init_nest_lock omp_destroy_nest_lock omp_set_num_threads omp_set_dynamic
omp_set_nested omp_set_max_active_levels omp_set_schedule omp_in_parallel
";

/// Beginnings of names whose functions cost nothing that matters.
const CONSTANT_BEGINNINGS: [&str; 4] = ["__builtin_", "omp_get_", "__ctype", "_mm"];

/// Functions, or prefixes of their names, that no model of one thread describes, with the reason.
const REFUSED: [(&[&str], &str); 14] = [
    (&["asm"], "is assembly code: its time is not known"),
    (
        &["MPI_", "PMPI_", "MPIX_"],
        "sends messages between processes or waits for them, which is not modelled: the model is that of one process",
    ),
    (
        &[
            "shmem_",
            "start_pes",
            "upc_",
            "gasnet_",
            "GASNET_",
            "gaspi_",
            "caf_",
        ],
        "works on memory that processes share, which is not modelled: the model is that of one process",
    ),
    (
        &[
            "cuda", "cu", "cublas", "cufft", "cusparse", "curand", "hip", "hipblas",
        ],
        "makes a device work, which is not modelled",
    ),
    (&["acc_"], "belongs to OpenACC, which is not modelled"),
    (
        &[
            "pthread_",
            "thrd_",
            "mtx_",
            "cnd_",
            "call_once",
            "tss_",
            "GOMP_",
            "__kmpc_",
            "tbb",
            "dispatch_",
            "argobots_",
            "ABT_",
            "cilk_",
            "__cilk",
        ],
        "uses threads outside of OpenMP, which are not modelled",
    ),
    (
        &[
            "omp_set_lock",
            "omp_unset_lock",
            "omp_test_lock",
            "omp_set_nest_lock",
            "omp_unset_nest_lock",
            "omp_test_nest_lock",
        ],
        "takes or gives a lock by its address: waiting for it is not modelled",
    ),
    (
        &[
            "fork",
            "vfork",
            "clone",
            "posix_spawn",
            "execv",
            "execve",
            "execvp",
            "execl",
            "execlp",
            "system",
            "popen",
        ],
        "starts another process, which is not modelled",
    ),
    (
        &[
            "signal",
            "sigaction",
            "raise",
            "kill",
            "alarm",
            "setitimer",
            "timer_",
        ],
        "uses signals, whose handlers are not modelled",
    ),
    (
        &[
            "setjmp",
            "_setjmp",
            "sigsetjmp",
            "__sigsetjmp",
            "longjmp",
            "siglongjmp",
            "_longjmp",
        ],
        "jumps out of functions, which is not modelled",
    ),
    (
        &[
            "sleep",
            "usleep",
            "nanosleep",
            "clock_nanosleep",
            "sched_yield",
        ],
        "waits for a fixed time",
    ),
    (
        &[
            "wait", "waitpid", "sem_", "msgget", "msgsnd", "msgrcv", "shmget", "shmat", "shm_open",
            "mq_", "select", "poll", "epoll_", "futex",
        ],
        "waits for others, which is not modelled",
    ),
    (
        &["socket", "send", "recv", "connect", "accept", "listen"],
        "waits for another machine, which is not modelled",
    ),
    (
        &["atomic_", "__atomic_", "__sync_"],
        "is an atomic operation: waiting for others is not modelled",
    ),
];

/// Known facts about a function outside the files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExternalFunction {
    Known(Order),
    Refused {
        reason: String,
        /// It may do anything.
        is_unknown: bool,
    },
}

fn is_constant(name: &str) -> bool {
    CONSTANT_BEGINNINGS
        .iter()
        .any(|begin| name.starts_with(begin))
        || CONSTANT.split_whitespace().any(|known| known == name)
}

/// OpenCL's names go on with a capital: `clEnqueueNDRangeKernel`.
fn is_of_opencl(name: &str) -> bool {
    name.strip_prefix("cl")
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
}

/// Looks up a function by name.
pub fn outside(name: &str) -> ExternalFunction {
    // The compiler's own spelling of a function of the library, and that which checks sizes.
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    let plain = plain
        .strip_prefix("__")
        .and_then(|rest| rest.strip_suffix("_chk"))
        .unwrap_or(plain);
    if let Some((_, order, _)) = ORDERS.iter().find(|(known, ..)| *known == plain) {
        return ExternalFunction::Known(*order);
    }
    if is_constant(name) || is_constant(plain) {
        return ExternalFunction::Known(Order::Constant);
    }
    // A beginning ends with `_`, or a capital follows it: `MPI_Send`, `cudaMalloc`.
    let is_meant = |begin: &str| {
        name.strip_prefix(begin).is_some_and(|rest| {
            rest.is_empty()
                || begin.ends_with('_')
                || rest.starts_with(|c: char| c.is_ascii_uppercase())
        })
    };
    let reason = REFUSED
        .iter()
        .find(|(begins, _)| begins.iter().any(|begin| is_meant(begin)))
        .map(|(_, reason)| *reason);
    let reason =
        reason.or(is_of_opencl(name).then_some("makes a device work, which is not modelled"));
    ExternalFunction::Refused {
        is_unknown: reason.is_none(),
        reason: match reason {
            Some(reason) => format!("`{name}` {reason}"),
            None => format!("`{name}` is not defined in the files: its time is not known"),
        },
    }
}

/// True if only the name of a function is known: it may be one of another file.
pub fn is_unknown(name: &str) -> bool {
    matches!(
        outside(name),
        ExternalFunction::Refused {
            is_unknown: true,
            ..
        }
    )
}

/// True if a function may write through its arguments.
pub fn writes(name: &str) -> bool {
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    match ORDERS.iter().find(|(known, ..)| *known == plain) {
        Some((_, _, writes)) => *writes,
        None => !is_constant(name),
    }
}

/// True if the time of a call is separate from the straight code around it.
pub fn is_apart(name: &str) -> bool {
    outside(name) != ExternalFunction::Known(Order::Constant)
}
