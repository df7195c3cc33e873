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
    counters: usize,
    /// Variables of the loops around.
    indices: Vec<String>,
    shared: bool,
}

/// `nests` loops, one after the other; with `parallel`, each is shared among threads at some level.
pub fn program(random: &mut Random, parallel: bool) -> Program {
    let mut writer = Writer {
        random,
        text: String::new(),
        counters: 0,
        indices: Vec::new(),
        shared: false,
    };
    let nests = 1 + writer.random.below(2);
    for _ in 0..nests {
        writer.shared = !parallel;
        writer.nest(1, 3);
    }
    let body = writer.text;
    let counters = writer.counters;
    let count = match parallel {
        true => "#define COUNT(k) count[omp_get_thread_num()][k]++",
        false => "#define COUNT(k) count[0][k]++",
    };
    let text = format!(
        "#include <stdio.h>\n#include <stdlib.h>\n#include <omp.h>\n\
         #define MIN(a, b) ((a) < (b) ? (a) : (b))\n#define MAX(a, b) ((a) > (b) ? (a) : (b))\n{count}\n\
         static long count[8][{size}];\n\n\
         int main(int argc, char **argv) {{\n    int n = atoi(argv[1]), m = atoi(argv[2]);\n{body}\
         \x20   for (int k = 0; k < {counters}; k++) {{\n        long all = 0, most = 0;\n\
         \x20       for (int t = 0; t < 8; t++) {{\n            all += count[t][k];\n\
         \x20           if (count[t][k] > most) most = count[t][k];\n        }}\n\
         \x20       printf(\"%ld %ld\\n\", all, most);\n    }}\n    return 0;\n}}\n",
        size = counters.max(1),
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
        match self.random.below(12) {
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
            _ => size.to_string(),
        }
    }

    fn nest(&mut self, depth: usize, left: usize) {
        let index = ["i", "j", "k", "l"][self.indices.len()].to_string();
        let can_share = !self.shared && (left == 1 || self.random.below(3) > 0);
        let first = match self.random.below(4) {
            0 => "0".to_string(),
            1 => "1".to_string(),
            2 => self.bound(),
            _ => format!("{}", self.random.below(4)),
        };
        let last = self.bound();
        let step = 1 + self.random.below(3);
        if can_share {
            self.shared = true;
            let schedule = self.random.one_of(&[
                "",
                " schedule(static)",
                " schedule(static, 1)",
                " schedule(static, 2)",
                " schedule(dynamic)",
                " schedule(dynamic, 3)",
                " schedule(guided)",
                " schedule(static, 3)",
            ]);
            let line = format!("#pragma omp parallel for{schedule}");
            self.line(depth, &line);
            let head = match self.random.below(3) {
                0 => {
                    format!("for (int {index} = {last}; {index} >= {first}; {index} -= {step}) {{")
                }
                1 => format!("for (int {index} = {first}; {index} <= {last}; {index}++) {{"),
                _ => format!("for (int {index} = {first}; {index} < {last}; {index} += {step}) {{"),
            };
            self.line(depth, &head);
        } else {
            let other = self.bound();
            let head = match self.random.below(9) {
                0 => format!("for (int {index} = {last}; {index} > {first}; {index} -= {step}) {{"),
                1 => format!("for (int {index} = {last}; {index} >= {first}; {index}--) {{"),
                2 => {
                    format!("for (int {index} = {first}; {index} <= {last}; {index} += {step}) {{")
                }
                3 => format!(
                    "for (long {index} = {first}; {last} > {index}; {index} = {index} + {step}) {{"
                ),
                8 => format!(
                    "for (int {index} = {first}; {index} < {last} && {other} >= {index}; {index} += {step}) {{"
                ),
                4 => format!("int {index} = {first}; while ({index} < {last}) {{"),
                5 => format!("int {index} = {first}; do {{"),
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
            return;
        }
        self.inside(depth, left, &index);
        self.line(depth, "}");
    }

    fn inside(&mut self, depth: usize, left: usize, index: &str) {
        self.indices.push(index.to_string());
        let choice = self.random.below(6);
        if choice == 0 || left == 1 {
            self.count(depth + 1);
        }
        if left > 1 {
            self.nest(depth + 1, left - 1);
        }
        if choice == 1 {
            let size = self.random.one_of(&["n", "m", "3"]);
            let sign = self.random.one_of(&["<", "==", ">=", "!="]);
            let line = format!("if ({index} {sign} {size})");
            self.line(depth + 1, &line);
            self.count(depth + 2);
        }
        if choice == 2 {
            let modulus = 2 + self.random.below(3);
            let line = format!("if ({index} % {modulus} == 1)");
            self.line(depth + 1, &line);
            self.count(depth + 2);
        }
        self.indices.pop();
    }

    fn count(&mut self, depth: usize) {
        let line = format!("COUNT({});", self.counters);
        self.counters += 1;
        self.line(depth, &line);
    }
}
