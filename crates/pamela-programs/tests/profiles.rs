//! Programs that are built with probes and run: their counts, what follows from these, and what goes wrong.

#![allow(clippy::expect_used, clippy::panic, reason = "what a test needs")]

mod support;

use std::time::Duration;

use pamela_programs::profile::{Plan, Profile, base, gcov, known, overheads};
use pamela_programs::source::{self, Compiler};
use pamela_programs::{KnownLaw, KnownValue};
use support::{directory, run};

/// Draws of all kinds of trials.
const DRAWS: &str = r#"
#include <stdio.h>
#include <stdlib.h>
static unsigned long long state;
static double draw(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (state >> 11) / 9007199254740992.0;
}
int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    long a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0;
    state = 0x9e3779b97f4a7c15ull * (1 + atoi(argv[2]));
    for (int i = 0; i < 100; i++) draw();
    for (int i = 0; i < n; i++)
        if (draw() < 0.3) a++;
    int up = 0;
    for (int i = 0; i < n; i++) {
        up = up ? draw() < 0.9 : draw() < 0.05;
        if (up) b++;
    }
    int left = 0, is_up = 0;
    for (int i = 0; i < n; i++) {
        if (left == 0) {
            is_up = !is_up;
            left = 1 + (int)(draw() * (is_up ? 3 : 8));
        }
        left--;
        if (is_up) c++;
    }
    for (int i = 0; i < n / 32; i++)
        for (int j = 1; j <= 127; j++)
            if (draw() < 1.0 / (j + 1)) d++;
    double share = 0.2 + 0.6 * draw();
    for (int i = 0; i < n; i++)
        if (draw() < share) e++;
    for (int i = 0; i < n; i++)
        while (draw() < 0.5) f++;
    for (int i = 0; i < n; i++)
        if (argv[1][0] < 0) g++;
    printf("%ld %ld %ld %ld %ld %ld %ld\n", a, b, c, d, e, f, g);
    return 0;
}
"#;

fn assert_near(found: f64, wanted: f64, tolerance: f64) {
    assert!(
        (found / wanted - 1.0).abs() <= tolerance,
        "{found} for {wanted}"
    );
}

/// Mean, variance, skewness and kurtosis.
fn moments(law: &KnownLaw) -> [f64; 4] {
    match *law {
        KnownLaw::Moments {
            mean,
            variance,
            skewness,
            kurtosis,
        } => [mean, variance, skewness, kurtosis],
        _ => panic!("{law} are no moments"),
    }
}

#[test]
fn kinds_of_trials_are_told_apart() {
    let directory = directory("draws");
    let profile = run(&directory, DRAWS, |plan| {
        plan.axes[0].1 = vec![20_000.0];
        plan.seeds = 60;
    });
    let profile = profile.result.expect("it runs");
    let known = known(&profile);
    let law = |site: &str| match &known[site].value {
        KnownValue::Same { law, .. } => law.clone(),
        other => panic!("{site}: {other:?}"),
    };
    let KnownLaw::Bernoulli(share) = law("main/if1") else {
        panic!("{} is no Bernoulli law", law("main/if1"))
    };
    assert_near(share, 0.3, 0.01);
    // A chain of two states that stays with 0.9 and 0.95: its correlation is 0.85.
    let markov = moments(&law("main/if2"));
    let p = 0.05 / 0.15;
    assert_near(markov[0], p, 0.02);
    assert_near(markov[1], p * (1.0 - p) * 1.85 / 0.15, 0.05);
    // Runs of uniform lengths from 1 to 3 and from 1 to 8, by dynamic programming.
    let runs = moments(&law("main/if4"));
    assert_near(runs[0], 2.0 / 6.5, 0.01);
    let variance: f64 = (4.5_f64.powi(2) * (2.0 / 3.0) + 4.0 * 5.25) / 6.5_f64.powi(3);
    assert_near(runs[1], variance, 0.02);
    assert_near(runs[2] * variance.powf(1.5), 0.066901, 0.1);
    assert_near((runs[3] - 3.0) * variance * variance, 0.019982, 0.25);
    match &known["main/if5"].value {
        KnownValue::Position {
            constant,
            slope,
            offset,
        } => {
            assert_eq!((*constant, *offset), (0.0, 1), "{slope}");
            assert_near(*slope, 1.0, 0.02);
        }
        other => panic!("{other:?}"),
    }
    let KnownValue::Drawn {
        law: KnownLaw::Beta(a, b),
        ..
    } = known["main/if6"].value
    else {
        panic!("{:?}", known["main/if6"]);
    };
    // Of what holds in a run, N trials each: Var(N P) is its variance less N E(P (1 - P)).
    let runs = profile.points[0].runs.iter();
    let taken: Vec<f64> = runs.map(|run| run.sites["main/if6"].taken as f64).collect();
    let mean = taken.iter().sum::<f64>() / taken.len() as f64;
    let squares: f64 = taken.iter().map(|taken| (taken - mean).powi(2)).sum();
    let variance = squares / (taken.len() as f64 - 1.0);
    assert_near(20_000.0 * a / (a + b), mean, 1e-4);
    let of_law = a * b / ((a + b).powi(2) * (a + b + 1.0));
    assert_near(20_000.0 * 20_000.0 * of_law, variance, 0.01);
    // Drawn from 0.2 to 0.8: 60 draws have the variance within 11 %, twice.
    assert_near(of_law, 0.36 / 12.0, 0.25);
    let geometric = moments(&law("main/while1"));
    assert_near(geometric[0], 1.0, 0.01);
    assert_near(geometric[1], 2.0, 0.02);
    assert_near(geometric[2], 3.0 / 2.0_f64.sqrt(), 0.05);
    assert_near(geometric[3], 9.5, 0.1);
    assert_eq!(law("main/if7"), KnownLaw::Constant(0.0));
}

#[test]
fn what_is_in_the_file_is_not_measured_again() {
    let directory = directory("resumed");
    let first = run(&directory, DRAWS, |_| {});
    assert_eq!(first.runs, 2);
    assert!(first.result.is_ok());
    let again = run(&directory, DRAWS, |plan| plan.axes[0].1 = vec![20.0, 30.0]);
    assert_eq!(again.runs, 2);
    let profile = again.result.expect("it runs");
    assert_eq!(profile.points.len(), 2);
    let text = std::fs::read_to_string(&again.file).expect("the profile is there");
    assert_eq!(Profile::read("p", &text).expect("it is one"), profile);
    let table = profile.table().expect("it has times");
    assert_eq!(table.sizes, 1);
    assert!(table.parameters.contains(&"p_main_if1".to_string()));
    let other = run(&directory, &DRAWS.replace("0.3", "0.4"), |_| {});
    assert!(
        other
            .result
            .expect_err("another program")
            .contains("profile of another program")
    );
}

#[test]
fn early_exits_and_threads_are_counted() {
    let directory = directory("threads");
    let text = r#"
#include <stdio.h>
#include <stdlib.h>
static int first(const int *x, int n, int key)
{
    for (int i = 0; i < n; i++)
        if (x[i] == key)
            return i;
    return -1;
}
int main(int argc, char **argv)
{
    int n = atoi(argv[1]), found = 0, odd = 0;
    int *x = malloc(n * sizeof *x);
    for (int i = 0; i < n; i++)
        x[i] = i;
#pragma omp parallel for reduction(+ : found, odd)
    for (int k = 0; k < n; k++) {
        found += first(x, n, k) >= 0;
        if (x[k] % 2)
            odd++;
        switch (x[k] % 3) {
        case 0: found += 2; break;
        case 1: found -= 1; break;
        default: break;
        }
    }
    printf("%d %d\n", found, odd);
    return 0;
}
"#;
    let profile = run(&directory, text, |plan| {
        plan.axes = vec![
            ("n".to_string(), vec![30.0]),
            ("P".to_string(), vec![1.0, 2.0]),
        ];
        plan.arguments.truncate(1);
    });
    let profile = profile.result.expect("it runs");
    for point in &profile.points {
        let site = |name: &str| point.site(name).unwrap_or_else(|| panic!("no {name}"));
        let search = site("first/for1");
        assert_eq!((search.calls, search.trips[0]), (30, 30 * 31 / 2));
        let odd = site("main/if1");
        assert_eq!((odd.calls, odd.taken), (30, 15));
        let case = site("main/switch1/0");
        assert_eq!((case.calls, case.taken), (30, 10));
    }
}

#[test]
fn what_goes_wrong_is_told_and_what_was_measured_is_kept() {
    let directory = directory("wrong");
    let text = |body: &str| {
        format!(
            "#include <stdio.h>\n#include <stdlib.h>\nint main(int argc, char **argv) {{\n\
             int n = atoi(argv[1]); volatile int x = n;\nif (x > 10) {{ {body} }}\nreturn 0;\n}}\n"
        )
    };
    let wrong = |body: &str| {
        let _ = std::fs::remove_file(directory.join("profile.json"));
        let profiled = run(&directory, &text(body), |plan| {
            plan.axes[0].1 = vec![5.0, 20.0];
            plan.timeout = Duration::from_millis(300);
        });
        let kept = std::fs::read_to_string(&profiled.file).expect("the profile is there");
        let kept = Profile::read("p", &kept).expect("it is one");
        assert_eq!(kept.points[0].runs.len(), 1);
        profiled.result.expect_err("it goes wrong")
    };
    assert!(wrong("while (x) ;").contains("does not end within 0.3 s with the arguments `20 1`"));
    assert!(wrong("fprintf(stderr, \"no memory\"); exit(3);").contains("no memory"));
    assert!(wrong("abort();").contains("fails with the arguments `20 1`"));
    assert!(wrong("_Exit(0);").contains("writes no counts"));
    // The bytes of the program itself differ between the builds.
    let other = wrong(
        "FILE *f = fopen(\"/proc/self/exe\", \"rb\"); unsigned sum = 0; int c; \
         while ((c = fgetc(f)) != EOF) sum = sum * 31 + c; printf(\"%u\\n\", sum);",
    );
    assert!(
        other.contains("with probes the program prints different output at n = 20"),
        "{other}"
    );
}

#[test]
fn plans_that_mean_nothing_are_refused() {
    let directory = directory("plans");
    let error =
        |change: &dyn Fn(&mut Plan)| run(&directory, DRAWS, change).result.expect_err("wrong");
    assert!(error(&|plan| plan.axes[0].0 = "m".to_string()).contains("`m` is not an argument"));
    assert!(error(&|plan| plan.axes.clear()).contains("no value of `{n}`"));
    assert!(error(&|plan| plan.axes.push(("n".to_string(), vec![1.0]))).contains("given twice"));
    assert!(
        error(&|plan| plan.compiler.options.push("-fno-such-option".to_string()))
            .contains("cannot build")
    );
    let no_compiler = error(&|plan| plan.compiler.program = "no-such-compiler".to_string());
    assert!(
        no_compiler.contains("cannot run `no-such-compiler`"),
        "{no_compiler}"
    );
    let no_library = error(&|plan| plan.link = vec!["-lno-such-library".to_string()]);
    assert!(
        no_library.contains("cannot build the program"),
        "{no_library}"
    );
    let no_seed = error(&|plan| {
        plan.arguments.truncate(1);
        plan.seeds = 2;
    });
    assert!(no_seed.contains("takes no seed"), "{no_seed}");
}

#[test]
fn the_machine_tells_what_openmp_takes() {
    let found =
        overheads(&Compiler::default(), 2, Duration::from_secs(60)).expect("it is measured");
    let names: Vec<&str> = found
        .iter()
        .map(|overhead| overhead.name.as_str())
        .collect();
    assert_eq!(
        names,
        [
            "t_fork",
            "t_barrier",
            "t_chunk",
            "t_lock",
            "t_combine",
            "t_task"
        ]
    );
    assert!(
        found
            .iter()
            .all(|overhead| overhead.seconds >= 0.0 && overhead.seconds.is_finite())
    );
}

#[test]
fn what_a_site_depends_on_is_stated_around_it() {
    let text = r#"
void use(int);
int main(int argc, char **argv)
{
    int n = atoi(argv[1]), m = atoi(argv[2]);
#pragma etp dependency(n)
    for (int i = 0; i < n; i++) {
        while (f(i)) use(i);
#pragma pamela depends(n, m)
        if (g(i)) use(m);
    }
    while (f(n)) use(n);
    return 0;
}
"#;
    let unit = source::parse("program.c", text.to_string()).expect("it is read");
    let found = pamela_programs::lowering::dependences(&[unit]);
    let listed: Vec<(&str, String)> = found
        .iter()
        .map(|(site, names)| (site.as_str(), names.join(" ")))
        .collect();
    let wanted = [
        ("main/for1", "n"),
        ("main/if1", "n m"),
        ("main/set2", "n"),
        ("main/set3", "n"),
        ("main/set4", "n"),
        ("main/set5", "n m"),
        ("main/set6", "n m"),
        ("main/while1", "n"),
    ];
    assert_eq!(
        listed,
        wanted.map(|(site, names)| (site, names.to_string()))
    );
}

#[test]
fn a_directory_of_profiles_is_one_base() {
    let directory = directory("base");
    let text = r#"
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int n = atoi(argv[1]), k = 0;
    double sum = 0;
    while (sum < n) sum += ++k;
    printf("%d\n", k);
    return 0;
}
"#;
    let base_directory = directory.join("runs");
    std::fs::create_dir_all(&base_directory).expect("a directory");
    for (name, sizes) in [("a", vec![100.0, 200.0]), ("b", vec![200.0, 400.0])] {
        let ran = run(&directory, text, |plan| {
            plan.axes[0].1 = sizes.clone();
            plan.arguments.truncate(1);
        });
        ran.result.expect("it runs");
        std::fs::rename(&ran.file, base_directory.join(format!("{name}.json"))).expect("it moves");
    }
    let profile = base::read(&base_directory).expect("it is one");
    assert_eq!(profile.points.len(), 3);
    let at = |n: f64| {
        let at = [("n".to_string(), n)].into();
        let known = base::near(&profile, &at, &Default::default()).expect("it has values");
        match &known["main/while1"].value {
            KnownValue::Same { mean, .. } => *mean,
            other => panic!("{other:?}"),
        }
    };
    // The least k with k (k + 1) / 2 >= n.
    assert_eq!([at(100.0), at(200.0), at(400.0)], [14.0, 20.0, 28.0]);
    assert!((20.0..28.0).contains(&at(300.0)), "{}", at(300.0));
    std::fs::write(base_directory.join("c.json"), "{}").expect("a file");
    assert!(base::read(&base_directory).is_err());
    assert!(base::read(&directory.join("nothing")).is_err());
}

#[test]
fn lines_that_gcov_counted_are_shares_and_iterations() {
    let directory = directory("gcov");
    let text = r#"#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int n = atoi(argv[1]), odd = 0, sum = 0;
    for (int i = 0; i < n; i++) {
        if (i * i % 7 == 1)
            odd++;
        int k = i;
        while (k * k % 5 != 0)
        {
            k++;
        }
        while (sum >= 0) {
            sum += k + 1;
            if (sum > 100) break;
        }
        if (k > 3) sum++;
    }
    printf("%d %d\n", odd, sum);
    return 0;
}
"#;
    std::fs::write(directory.join("program.c"), text).expect("a program");
    let shell = "gcc --coverage -O0 -o program program.c && ./program 70 > /dev/null && \
                 gcov --json-format --stdout *.gcda > counts.json";
    let made = std::process::Command::new("sh")
        .args(["-c", shell])
        .current_dir(&directory)
        .status();
    if !made.is_ok_and(|status| status.success()) {
        eprintln!("no gcc with gcov: not tested");
        return;
    }
    let counts = std::fs::read_to_string(directory.join("counts.json")).expect("the counts");
    assert!(gcov::is_one(&counts));
    let unit = source::read(&directory.join("program.c"), &Compiler::default(), &[]);
    let units = [unit.expect("it is read")];
    let known = gcov::known(&units, "counts.json", &counts).expect("they are counts");
    let mean = |site: &str| match &known.get(site)?.value {
        KnownValue::Same { mean, .. } => Some(*mean),
        _ => None,
    };
    // Of each seven numbers two have the square 1; to the next multiple of 5 it is 2 on average.
    assert_eq!(
        mean("main/if1"),
        Some(2.0 / 7.0).map(|p: f64| (p * 1e6).round() / 1e6)
    );
    assert_eq!(mean("main/while1"), Some(2.0));
    assert_eq!(mean("main/while2"), None);
    assert_eq!(mean("main/if3"), None);
    let other = counts.replace("program.c", "other.c");
    assert!(gcov::known(&units, "counts.json", &other).is_err());
    assert!(gcov::known(&units, "counts.json", "{\"gcc_version\": 1}").is_err());
}
