//! Random numbers and C programs that count.

/// The same numbers for the same seed.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }

    pub fn one_of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len() as u64) as usize]
    }
}

/// A program with loops whose bounds are affine in n, m and outer indices.
pub struct Program {
    pub text: String,
    /// How many places are counted.
    pub counters: usize,
}

struct Writer<'a> {
    random: &'a mut Random,
    text: String,
    /// Functions in front of the one that is written.
    functions: String,
    called: usize,
    counters: usize,
    /// Variables of the loops around.
    indices: Vec<String>,
    /// What becomes of the loops of a nest.
    sharing: Sharing,
}

#[derive(Clone, Copy, PartialEq)]
enum Sharing {
    /// One thread runs them, or one thread each iteration of a loop around.
    None,
    /// One of them is a parallel region of its own.
    Region,
    /// A team exists already: `omp for`.
    Team { nowait: bool },
}

const SCHEDULES: [&str; 8] = [
    "",
    " schedule(static)",
    " schedule(static, 1)",
    " schedule(static, 2)",
    " schedule(dynamic)",
    " schedule(dynamic, 3)",
    " schedule(guided)",
    " schedule(static, 3)",
];

const HEAD: &str = "#include <stdio.h>
#include <stdlib.h>
#include <omp.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
";

/// One or two nests, one after the other; with `parallel`, each is shared among threads at some level. The program prints
/// how often all threads together pass each counter, and the sum over its parallel sections of the busiest one.
pub fn program(random: &mut Random, parallel: bool) -> Program {
    let mut writer = Writer {
        random,
        text: String::new(),
        functions: String::new(),
        called: 0,
        counters: 0,
        indices: Vec::new(),
        sharing: Sharing::None,
    };
    for _ in 0..1 + writer.random.below(2) {
        match writer.random.below(4) {
            0 => writer.function(parallel),
            _ => writer.piece(1, parallel),
        }
    }
    let (body, functions, counters) = (writer.text, writer.functions, writer.counters);
    let size = counters.max(1);
    let count = if parallel {
        "#define COUNT(k) count[omp_get_thread_num()][k]++"
    } else {
        "#define COUNT(k) count[0][k]++"
    };
    let text = format!(
        "{HEAD}{count}\nstatic long count[8][{size}], all[{size}], most[{size}];\n\n\
         #pragma pamela ignore\nstatic void settle(void) {{\n    for (int k = 0; k < {counters}; k++) {{\n\
         \x20       long busiest = 0;\n        for (int t = 0; t < 8; t++) {{\n            all[k] += count[t][k];\n\
         \x20           busiest = MAX(busiest, count[t][k]);\n            count[t][k] = 0;\n        }}\n\
         \x20       most[k] += busiest;\n    }}\n}}\n\n{functions}\
         int main(int argc, char **argv) {{\n    int n = atoi(argv[1]), m = atoi(argv[2]);\n{body}\
         \x20   settle();\n    for (int k = 0; k < {counters}; k++)\n\
         \x20       printf(\"%ld %ld\\n\", all[k], most[k]);\n    return 0;\n}}\n",
    );
    Program { text, counters }
}

impl Writer<'_> {
    fn line(&mut self, depth: usize, text: &str) {
        self.text.push_str(&"    ".repeat(depth));
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// An expression that does not change in the loop around.
    fn bound(&mut self) -> String {
        let size = self.random.one_of(&["n", "n", "m"]);
        let outer = self.indices.last().cloned();
        let outer = outer.unwrap_or_else(|| "n".to_string());
        let k = 1 + self.random.below(5);
        match self.random.below(16) {
            0 => format!("{size} / {}", k + 1),
            1 => format!("({size} - {k}) / {}", 1 + self.random.below(4)),
            2 => format!("{size} % {}", k + 2),
            3 => format!("MIN({size}, {outer} + {k})"),
            4 => format!("MAX({outer} - {k}, {k})"),
            5 | 6 => outer,
            7 => format!("{outer} + {k}"),
            8 => format!("({outer} > {k} ? {outer} - {k} : {size})"),
            9 => format!("{size} - {outer} / 2"),
            10 => format!("2 * {outer} - {k}"),
            11 => format!("{outer} % {}", k + 1),
            12 => format!("({outer} - {k}) % {}", k + 1),
            13 => format!("MAX(1, MIN({outer}, {size} - {k}))"),
            14 => format!("({size} + {k}) >> 1"),
            _ => size.to_string(),
        }
    }

    /// A nest in a function of its own, which is called with one or two pairs of sizes.
    fn function(&mut self, parallel: bool) {
        let name = format!("f{}", self.called);
        self.called += 1;
        let around = std::mem::take(&mut self.text);
        self.piece(1, parallel);
        let body = std::mem::replace(&mut self.text, around);
        self.functions.push_str(&format!(
            "static void {name}(int n, int m) {{\n{body}}}\n\n"
        ));
        let calls = ["n, m", "m, n", "n / 2, m + 3", "n - 4, 5"];
        for _ in 0..1 + self.random.below(2) {
            let arguments = self.random.one_of(&calls);
            self.line(1, &format!("{name}({arguments});"));
        }
    }

    /// A nest by one thread or by a team.
    fn piece(&mut self, depth: usize, parallel: bool) {
        if !parallel {
            self.sharing = Sharing::None;
            return self.nest(depth, 3);
        }
        match self.random.below(4) {
            0 => self.region(depth),
            1 => self.own_share(depth),
            _ => {
                self.sharing = Sharing::Region;
                self.nest(depth, 3);
            }
        }
    }

    /// A team that shares one or two nests.
    fn region(&mut self, depth: usize) {
        self.line(depth, "#pragma omp parallel");
        self.line(depth, "{");
        if self.random.below(2) == 0 {
            self.sharing = Sharing::Team { nowait: true };
            self.nest(depth + 1, 2);
        }
        self.sharing = Sharing::Team { nowait: false };
        self.nest(depth + 1, 2);
        self.line(depth, "}");
        self.line(depth, "settle();");
    }

    /// A team whose threads know by their numbers what to do.
    fn own_share(&mut self, depth: usize) {
        let last = self.bound();
        self.line(depth, "#pragma omp parallel");
        self.line(depth, "{");
        self.line(
            depth + 1,
            "int p = omp_get_thread_num(), all = omp_get_num_threads();",
        );
        let head = match self.random.below(2) {
            0 => format!("for (int i = p; i < {last}; i += all) {{"),
            _ => format!("for (int i = p * ({last}) / all; i < (p + 1) * ({last}) / all; i++) {{"),
        };
        self.line(depth + 1, &head);
        self.sharing = Sharing::None;
        self.inside(depth + 1, 2, "i");
        self.line(depth + 1, "}");
        self.line(depth, "}");
        self.line(depth, "settle();");
    }

    fn first(&mut self) -> String {
        match self.random.below(4) {
            0 => "0".to_string(),
            1 => "1".to_string(),
            2 => self.bound(),
            _ => format!("{}", self.random.below(4)),
        }
    }

    fn nest(&mut self, depth: usize, left: usize) {
        let can_share = self.sharing != Sharing::None;
        if can_share && (left == 1 || self.random.below(3) > 0) {
            self.shared(depth, left);
        } else {
            self.alone(depth, left);
        }
    }

    fn index(&self) -> String {
        ["i", "j", "k", "l", "h"][self.indices.len()].to_string()
    }

    /// A loop whose iterations are shared.
    fn shared(&mut self, depth: usize, left: usize) {
        let sharing = std::mem::replace(&mut self.sharing, Sharing::None);
        let schedule = self.random.one_of(&SCHEDULES);
        let is_two = left > 1 && self.random.below(4) == 0;
        // Rows of different lengths have no schedule.
        let is_triangular = is_two && self.random.below(3) == 0;
        let schedule = if is_triangular { "" } else { schedule };
        let collapse = if is_two { " collapse(2)" } else { "" };
        let line = match sharing {
            Sharing::Team { nowait: true } => {
                format!("#pragma omp for{collapse}{schedule} nowait")
            }
            Sharing::Team { nowait: false } => format!("#pragma omp for{collapse}{schedule}"),
            _ => format!("#pragma omp parallel for{collapse}{schedule}"),
        };
        self.line(depth, &line);
        let index = self.index();
        let head = self.canonical(&index);
        self.line(depth, &head);
        if is_two {
            let outer = self.indices.clone();
            // The bounds of the second loop use no index of the first, or that index alone.
            self.indices.push(index.clone());
            let name = self.index();
            let second = match (is_triangular, self.random.below(2)) {
                (true, 0) => format!("for (int {name} = {index}; {name} < n; {name}++) {{"),
                (true, _) => format!("for (int {name} = 0; {name} <= {index}; {name}++) {{"),
                (false, _) => {
                    let kept = std::mem::replace(&mut self.indices, outer);
                    let head = self.canonical(&name);
                    self.indices = kept;
                    head
                }
            };
            self.line(depth + 1, &second);
            self.inside(depth + 1, left - 1, &name);
            self.line(depth + 1, "}");
            self.indices.pop();
        } else {
            self.inside(depth, left, &index);
        }
        self.line(depth, "}");
        if sharing == Sharing::Region {
            self.line(depth, "settle();");
        } else if sharing == (Sharing::Team { nowait: false }) {
            self.line(depth, "#pragma omp single");
            self.line(depth, "settle();");
        }
    }

    /// The head of a loop as OpenMP wants it.
    fn canonical(&mut self, index: &str) -> String {
        let (first, last) = (self.first(), self.bound());
        let step = 1 + self.random.below(3);
        match self.random.below(4) {
            0 => format!("for (int {index} = {last}; {index} >= {first}; {index} -= {step}) {{"),
            1 => format!("for (int {index} = {first}; {index} <= {last}; {index}++) {{"),
            2 => format!("for (int {index} = {last} - 1; {index} > {first}; {index}--) {{"),
            _ => format!("for (int {index} = {first}; {index} < {last}; {index} += {step}) {{"),
        }
    }

    /// A loop of one thread.
    fn alone(&mut self, depth: usize, left: usize) {
        let index = self.index();
        let (first, last, other) = (self.first(), self.bound(), self.bound());
        let step = 1 + self.random.below(3);
        let head = match self.random.below(11) {
            0 => format!("for (int {index} = {last}; {index} > {first}; {index} -= {step}) {{"),
            1 => format!("for (int {index} = {last}; {index} >= {first}; {index}--) {{"),
            2 => format!("for (int {index} = {first}; {index} <= {last}; {index} += {step}) {{"),
            3 => format!(
                "for (long {index} = {first}; {last} > {index}; {index} = {index} + {step}) {{"
            ),
            4 => format!("int {index} = {first}; while ({index} < {last}) {{"),
            5 => format!("int {index} = {first}; do {{"),
            6 => format!(
                "for (int {index} = {step}; {index} <= {last}; {index} *= {}) {{",
                step + 1
            ),
            7 => format!(
                "for (int {index} = {last}; {index} > 0; {index} /= {}) {{",
                step + 1
            ),
            8 => format!(
                "for (int {index} = {first}; {index} < {last} && {other} >= {index}; {index} += {step}) {{"
            ),
            _ => format!("for (int {index} = {first}; {index} < {last}; {index}++) {{"),
        };
        // The scope of a variable in front of its loop ends with it.
        let is_apart = head.starts_with("int");
        if is_apart {
            self.line(depth, "{");
        }
        self.line(depth, &head);
        self.inside(depth, left, &index);
        if head.ends_with("do {") {
            self.line(depth + 1, &format!("{index} += {step};"));
            self.line(depth, &format!("}} while ({index} < {last});"));
        } else {
            if head.contains("while") {
                self.line(depth + 1, &format!("{index} += {step};"));
            }
            self.line(depth, "}");
        }
        if is_apart {
            self.line(depth, "}");
        }
    }

    /// The body of a loop: counters under conditions, and the next loop.
    fn inside(&mut self, depth: usize, left: usize, index: &str) {
        self.indices.push(index.to_string());
        let choice = self.random.below(8);
        if choice == 0 || left == 1 {
            self.count(depth + 1);
        }
        if left > 1 {
            self.nest(depth + 1, left - 1);
        }
        let size = self.random.one_of(&["n", "m", "3"]);
        let modulus = 2 + self.random.below(3);
        match choice {
            1 => {
                let sign = self.random.one_of(&["<", "==", ">=", "!="]);
                self.line(depth + 1, &format!("if ({index} {sign} {size})"));
                self.count(depth + 2);
            }
            2 => {
                self.line(depth + 1, &format!("if ({index} % {modulus} == 1)"));
                self.count(depth + 2);
                self.line(depth + 1, "else");
                self.count(depth + 2);
            }
            3 => {
                self.line(
                    depth + 1,
                    &format!("if ({index} > 2 && {index} < {size} || {index} == m)"),
                );
                self.count(depth + 2);
            }
            4 => {
                self.line(depth + 1, &format!("switch ({index} % {modulus}) {{"));
                self.line(depth + 1, "case 0:");
                self.count(depth + 2);
                self.line(depth + 2, "break;");
                self.line(depth + 1, "default:");
                self.count(depth + 2);
                self.line(depth + 1, "}");
            }
            _ => {}
        }
        self.indices.pop();
    }

    fn count(&mut self, depth: usize) {
        let line = format!("COUNT({});", self.counters);
        self.counters += 1;
        self.line(depth, &line);
    }
}
