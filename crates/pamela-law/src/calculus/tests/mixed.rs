//! Random laws of single values beside densities, compared with draws by their definition.
//!
//! `PAMELA_LAWS=0..300 cargo test --release -p pamela-law mixed -- --nocapture` tries those of 300 seeds, with a million
//! draws each; without it a few with fewer draws. Among thousands of comparisons some are off by chance: what misses is
//! drawn again by another seed, with four times the draws and the same limits, and counts if it misses then.

use super::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Copies in one law, at most, so that a draw stays cheap.
const MOST_COPIES: usize = 60;

#[derive(Clone, Debug)]
enum Tree {
    Constant(f64),
    Exponential(f64),
    Uniform(f64, f64),
    Normal(f64, f64),
    Bernoulli(f64, f64),
    Values(Vec<f64>),
    Sum(Vec<Tree>),
    Copies(usize, Box<Tree>),
    Max(Vec<Tree>),
    Min(Vec<Tree>),
    /// The k-th smallest of so many copies.
    Kth(usize, usize, Box<Tree>),
    If(f64, Box<Tree>, Box<Tree>),
    /// A geometric number of copies.
    Random(f64, Box<Tree>),
}

use Tree::*;

fn leaf(random: &mut Pcg64Mcg) -> Tree {
    // Scales of one decimal, so that single values meet each other.
    let mut scale = || f64::from(random.random_range(1..40)) / 10.0;
    let (a, b) = (scale(), scale());
    let p = f64::from(random.random_range(1..10)) / 10.0;
    match random.random_range(0..10) {
        0..2 => Constant(a),
        2..5 => Exponential(a),
        5 => Uniform(a, a + b),
        6 => Normal(4.0 * a, 0.3 * b),
        7 => Bernoulli(a, p),
        _ => {
            let count = random.random_range(2..5);
            let mut value = || f64::from(random.random_range(0..10));
            Values((0..count).map(|_| value()).collect())
        }
    }
}

fn tree(random: &mut Pcg64Mcg, depth: u32, most: usize) -> Tree {
    if depth == 0 || most < 2 {
        return leaf(random);
    }
    let count = random.random_range(2..=4).min(most);
    let list = |random: &mut Pcg64Mcg| {
        let part = |_| tree(random, depth - 1, most / count);
        (0..count).map(part).collect()
    };
    let copies = random.random_range(2..=6).min(most);
    let one = |random: &mut Pcg64Mcg| Box::new(tree(random, depth - 1, most / copies));
    let p = f64::from(random.random_range(1..10)) / 10.0;
    match random.random_range(0..12) {
        0..2 => Sum(list(random)),
        2..4 => Copies(copies, one(random)),
        4 => Max(list(random)),
        5 => Min(list(random)),
        6 => Kth(1, copies, one(random)),
        7 => Kth(copies, copies, one(random)),
        8 => Kth(random.random_range(1..=copies), copies, one(random)),
        9 => {
            let p = p.max(0.4);
            Random(p, Box::new(tree(random, depth - 1, most / 3)))
        }
        _ => {
            let [then, other] = [0; 2].map(|_| Box::new(tree(random, depth - 1, most / 2)));
            If(p, then, other)
        }
    }
}

impl Tree {
    fn parts(&self) -> Vec<&Tree> {
        match self {
            Sum(list) | Max(list) | Min(list) => list.iter().collect(),
            Copies(_, part) | Kth(_, _, part) | Random(_, part) => vec![part],
            If(_, then, other) => vec![then, other],
            _ => Vec::new(),
        }
    }

    fn draw(&self, random: &mut Pcg64Mcg) -> f64 {
        match self {
            Constant(value) => *value,
            Exponential(mean) => -mean * (1.0 - random.random::<f64>()).ln(),
            Uniform(a, b) => a + (b - a) * random.random::<f64>(),
            Normal(mean, deviation) => {
                let radius = (-2.0 * (1.0 - random.random::<f64>()).ln()).sqrt();
                let angle = 2.0 * std::f64::consts::PI * random.random::<f64>();
                mean + deviation * radius * angle.cos()
            }
            Bernoulli(value, p) => {
                if random.random::<f64>() < *p {
                    *value
                } else {
                    0.0
                }
            }
            Values(values) => values[random.random_range(0..values.len())],
            Sum(list) => list.iter().map(|part| part.draw(random)).sum(),
            Copies(n, part) => (0..*n).map(|_| part.draw(random)).sum(),
            Max(list) => (list.iter().map(|part| part.draw(random))).fold(f64::MIN, f64::max),
            Min(list) => (list.iter().map(|part| part.draw(random))).fold(f64::MAX, f64::min),
            Kth(k, n, part) => {
                let mut draws: Vec<f64> = (0..*n).map(|_| part.draw(random)).collect();
                draws.sort_by(f64::total_cmp);
                draws[k - 1]
            }
            If(p, then, other) => {
                if random.random::<f64>() < *p {
                    then.draw(random)
                } else {
                    other.draw(random)
                }
            }
            Random(p, part) => {
                let mut sum = part.draw(random);
                while random.random::<f64>() >= *p {
                    sum += part.draw(random);
                }
                sum
            }
        }
    }

    fn law(&self, calculus: &Calculus) -> Law {
        let laws = |list: &[Tree]| -> Vec<Law> { list.iter().map(|t| t.law(calculus)).collect() };
        let named = |name: &str, arguments: &[f64]| calculus.named(name, arguments).unwrap();
        let found = match self {
            Constant(value) => Ok(Law::constant(*value)),
            Exponential(mean) => Ok(named("exponential", &[*mean])),
            Uniform(a, b) => Ok(named("uniform", &[*a, *b])),
            Normal(mean, deviation) => Ok(named("normal", &[*mean, *deviation])),
            Bernoulli(value, p) => Ok(calculus.scaled(&named("bernoulli", &[*p]), *value)),
            Values(values) => {
                let samples = Empirical::new(values.clone()).unwrap();
                Ok(calculus.empirical(&Arc::new(samples)))
            }
            Sum(list) => calculus.sum(&laws(list).iter().collect::<Vec<_>>()),
            Copies(n, part) => calculus.repeated(&part.law(calculus), *n as f64),
            Max(list) => calculus.largest_of(&laws(list).iter().collect::<Vec<_>>()),
            Min(list) => calculus.smallest_of(&laws(list).iter().collect::<Vec<_>>()),
            Kth(k, n, part) => calculus.kth(&part.law(calculus), *k as f64, *n as f64),
            If(p, then, other) => {
                let (then, other) = (then.law(calculus), other.law(calculus));
                calculus.mixture(&[(*p, &then), (1.0 - p, &other)])
            }
            Random(p, part) => calculus.random_sum(&named("geometric", &[*p]), &part.law(calculus)),
        };
        found.unwrap()
    }
}

/// What the law of a tree misses of its draws, in words; nothing where all agrees.
fn misses(tree: &Tree, random: &mut Pcg64Mcg, count: usize) -> Vec<String> {
    let law = tree.law(&Calculus::default());
    let mut draws: Vec<f64> = (0..count).map(|_| tree.draw(random)).collect();
    let n = count as f64;
    let mean = draws.iter().sum::<f64>() / n;
    let central = |r: i32| draws.iter().map(|x| (x - mean).powi(r)).sum::<f64>() / n;
    let (variance, fourth) = (central(2), central(4));
    let found = law.cumulants();
    let mut misses = Vec::new();
    // What rounding leaves of the draws, in the units of each comparison.
    let rounding = 1e-9 * mean.abs();
    let mut compare = |what: &str, [found, drawn]: [f64; 2], error: f64, limit: f64, floor: f64| {
        if (found - drawn).abs() > limit * error + 1e-9 * drawn.abs() + floor {
            let by = (found - drawn) / error;
            misses.push(format!("{what} {found} for {drawn}: {by:.1} errors"));
        }
    };
    compare("mean", [found.mean, mean], (variance / n).sqrt(), 4.0, 0.0);
    let error = ((fourth - variance * variance).max(0.0) / n).sqrt();
    let both = [found.variance, variance];
    compare("variance", both, error, 5.0, rounding * rounding);
    let Ok((distribution, _)) = law.distribution(Carrier::Grid) else {
        return misses;
    };
    draws.sort_by(f64::total_cmp);
    for share in [0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98] {
        // A little above a single value.
        let x = draws[(share * n) as usize] + 1e-5 * variance.sqrt();
        let drawn = draws.partition_point(|y| *y <= x) as f64 / n;
        let error = (drawn * (1.0 - drawn) / n).sqrt() + 1e-4;
        let found = distribution.cdf(x).below;
        compare(&format!("P(X <= {x})"), [found, drawn], error, 5.0, 0.0);
    }
    misses
}

/// The least part of a tree that misses its draws, with what it misses.
fn least_wrong<'a>(
    tree: &'a Tree,
    random: &mut Pcg64Mcg,
    count: usize,
    missed: Vec<String>,
) -> (&'a Tree, Vec<String>) {
    for part in tree.parts() {
        if misses(part, random, count).is_empty() {
            continue;
        }
        let again = misses(part, random, 4 * count);
        if !again.is_empty() {
            return least_wrong(part, random, count, again);
        }
    }
    (tree, missed)
}

/// The tail of a sum of three is carried so far only; that it seemed to stay below 1 for ever put nine tenths of the
/// probability at 1e304.
#[test]
fn a_random_sum_beside_many_single_values_keeps_its_quantiles() {
    let values = Random(0.4, Box::new(Values(vec![2.0, 4.0, 4.0])));
    let or_none = Kth(1, 2, Box::new(Bernoulli(3.5, 0.5)));
    let smooth = Sum(vec![Constant(6.4), Exponential(0.9), Exponential(3.0)]);
    let term = Max(vec![smooth, If(0.3, Box::new(or_none), Box::new(values))]);
    let sum = Random(0.4, Box::new(term));
    assert_eq!(
        misses(&sum, &mut Pcg64Mcg::seed_from_u64(1), 100_000),
        Vec::<String>::new()
    );
}

#[test]
fn random_laws_are_those_of_their_draws() {
    let asked = std::env::var("PAMELA_LAWS").ok();
    let asked = asked.map(|text| match text.split_once("..") {
        Some((from, to)) => seed(from)..seed(to),
        None => 0..seed(&text),
    });
    let (seeds, draws) = asked.map_or((0..40, 20_000), |seeds| (seeds, 1_000_000));
    let (mut wrong, all) = (0, seeds.clone());
    for seed in seeds {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let tree = tree(&mut random, 4, MOST_COPIES);
        if misses(&tree, &mut random, draws).is_empty() {
            continue;
        }
        let mut again = Pcg64Mcg::seed_from_u64(seed + (1 << 32));
        let misses = misses(&tree, &mut again, 4 * draws);
        if !misses.is_empty() {
            wrong += 1;
            let (part, misses) = least_wrong(&tree, &mut again, draws, misses);
            println!(
                "law {seed}: {tree:?}\n  by {part:?}\n    {}",
                misses.join("\n    ")
            );
        }
    }
    assert_eq!(wrong, 0, "of laws {all:?}");
}

fn seed(text: &str) -> u64 {
    let number = text.parse();
    number.unwrap_or_else(|_| panic!("PAMELA_LAWS is a number or a range, not {text}"))
}
