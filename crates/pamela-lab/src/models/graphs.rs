//! Random graphs of families of tasks.

use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// An affine form of an index, or of the size.
fn form(random: &mut impl Rng, names: &[&str]) -> String {
    let name = names[random.random_range(0..names.len())];
    match random.random_range(-2..3) {
        0 => name.to_owned(),
        offset => format!("{name} + ({offset})"),
    }
}

/// A random graph of families over `n`; tasks wait for earlier families, or for smaller first indices.
pub fn families(seed: u64) -> String {
    let mut random = Pcg64::seed_from_u64(seed);
    let random = &mut random;
    let count = random.random_range(1..4);
    let mut text = "numeric parameter n : integer >= 0\n".to_owned();
    let shapes: Vec<usize> = (0..count).map(|_| random.random_range(0..3)).collect();
    for family in 0..count {
        text.push_str(&format!("numeric parameter t{family} : >= 0\n"));
    }
    text.push_str("process main = graph {\n");
    for (family, &shape) in shapes.iter().enumerate() {
        let ranges = ["", " (i = 1, n)", " (i = 1, n; j = i, n)", ""][shape];
        let names: &[&str] = [&["1", "n"][..], &["i", "n"], &["i", "j"]][shape];
        let weight = match random.random_range(0..6) {
            0 => "1".to_owned(),
            1 if shape > 0 => format!("i * t{family}"),
            _ => format!("t{family}"),
        };
        let mut after = Vec::new();
        for _ in 0..random.random_range(0..3) {
            let other = random.random_range(0..=family);
            let condition = match random.random_range(0..6) {
                0 if shape > 0 => " if (i < n)",
                1 if shape > 0 => " if (i mod 2 == 0)",
                _ => "",
            };
            let arguments = match (other == family, shapes[other]) {
                // A task waits only for tasks of its own family with a smaller first index.
                (true, 0) => continue,
                (true, 1) => "(i - 1)".to_owned(),
                (true, _) => format!("(i - 1, {})", form(random, names)),
                (false, _) if random.random_range(0..5) == 0 => String::new(),
                (false, 0) => String::new(),
                (false, 1) => format!("({})", form(random, names)),
                (false, _) => format!("({}, {})", form(random, names), form(random, names)),
            };
            after.push(format!("f{other}{arguments}{condition}"));
        }
        let after = if after.is_empty() {
            String::new()
        } else {
            format!(" after {}", after.join(", "))
        };
        let end = if family + 1 < count { " ;" } else { "" };
        text.push_str(&format!(
            "    f{family}{ranges}: delay({weight}){after}{end}\n"
        ));
    }
    text.push_str("}\n");
    text
}
