//! LaTeX reads as the formula that it was printed from: names stay apart, and brackets stand where a reader needs them.

use std::collections::BTreeMap;

use pamela::compiled::Point;
use pamela::emit::mathml;
use pamela::formula::latex_name;
use pamela::{Model, Options};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// Names of up to three pieces, which begin with a letter or `_`.
fn all_names() -> Vec<String> {
    let pieces = [
        "x", "X", "_", "1", "12", "H", "n", "pi", "alpha", "Alpha", "xy", "e", "i", "l",
    ];
    let mut names: Vec<String> = Vec::new();
    for a in pieces {
        for b in pieces.into_iter().chain([""]) {
            for c in pieces.into_iter().chain([""]) {
                let name = format!("{a}{b}{c}");
                if !name.starts_with(|c: char| c.is_ascii_digit()) {
                    names.push(name);
                }
            }
        }
    }
    names.sort();
    names.dedup();
    names
}

#[test]
fn different_names_are_written_differently() {
    let names = all_names();
    assert!(names.len() > 2000, "only {}", names.len());
    let mut latex: BTreeMap<String, &str> = BTreeMap::new();
    let mut pages: BTreeMap<String, &str> = BTreeMap::new();
    for name in &names {
        let text = latex_name(name);
        let page = mathml(&text, false).expect("a name can be typeset");
        assert!(
            text.parse::<f64>().is_err(),
            "`{name}` is written as the number {text}"
        );
        if let Some(other) = latex.insert(text.clone(), name) {
            panic!("`{name}` and `{other}` are both {text}");
        }
        if let Some(other) = pages.insert(page.clone(), name) {
            panic!("`{name}` and `{other}` are both {page}");
        }
    }
}

/// The names of a model whose text forms are easily taken for each other.
const NAMES: [&str; 6] = ["x", "x_", "_x", "x_1", "x__1", "_1"];

/// Reads LaTeX as somebody does who was never told about this printer: a sign belongs to what follows it, and a remainder
/// beside another operator has two meanings, which is an error here.
struct Reader<'t> {
    rest: &'t str,
    values: &'t [(String, f64)],
}

type Read<T> = Result<T, String>;

impl Reader<'_> {
    fn take(&mut self, sign: &str) -> bool {
        match self.rest.trim_start().strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, sign: &str) -> Read<()> {
        if self.take(sign) {
            Ok(())
        } else {
            Err(format!("expected `{sign}` before `{}`", self.rest))
        }
    }

    fn whole(&mut self) -> Read<f64> {
        let value = self.group()?;
        match self.rest.trim() {
            "" => Ok(value),
            rest => Err(format!("`{rest}` is left")),
        }
    }

    /// A sum, or one remainder without anything beside it.
    fn group(&mut self) -> Read<f64> {
        let mut alone = true;
        let mut sign = 1.0;
        if self.take("-") {
            (alone, sign) = (false, -1.0);
        }
        let (first, several) = self.product()?;
        alone &= !several;
        let mut sum = sign * first;
        loop {
            if self.rest.trim_start().starts_with("\\bmod") {
                if !alone {
                    return Err(format!("what does `{}` belong to?", self.rest));
                }
                self.expect("\\bmod")?;
                let (divisor, several) = self.product()?;
                let next = self.rest.trim_start();
                if several || next.starts_with(['+', '-']) || next.starts_with("\\bmod") {
                    return Err(format!("how far does the remainder before `{next}` go?"));
                }
                return if divisor > 0.0 {
                    Ok(first - divisor * (first / divisor + 1e-9).floor())
                } else {
                    Err("no remainder".to_string())
                };
            }
            let sign = match (self.take("+"), self.take("-")) {
                (true, _) => 1.0,
                (_, true) => -1.0,
                _ => return Ok(sum),
            };
            alone = false;
            sum += sign * self.product()?.0;
        }
    }

    /// Factors, and whether there are several.
    fn product(&mut self) -> Read<(f64, bool)> {
        let mut product = self.factor()?;
        let mut several = false;
        while self.take("\\,") || self.take("\\cdot") {
            product *= self.factor()?;
            several = true;
        }
        Ok((product, several))
    }

    fn factor(&mut self) -> Read<f64> {
        let base = self.primary()?;
        if !self.take("^{") {
            return Ok(base);
        }
        let exponent = self.group()?;
        self.expect("}")?;
        Ok(base.powf(exponent))
    }

    fn primary(&mut self) -> Read<f64> {
        if self.take("\\frac{") {
            let above = self.group()?;
            self.expect("}")?;
            self.expect("{")?;
            let below = self.group()?;
            self.expect("}")?;
            return Ok(above / below);
        }
        for (open, close, of) in [
            ("\\left(", "\\right)", None),
            (
                "\\left\\lfloor",
                "\\right\\rfloor",
                Some(f64::floor as fn(f64) -> f64),
            ),
            ("\\left\\lceil", "\\right\\rceil", Some(f64::ceil)),
        ] {
            if self.take(open) {
                let inside = self.group()?;
                self.expect(close)?;
                let near = inside.round();
                let inside = if (inside - near).abs() < 1e-9 {
                    near
                } else {
                    inside
                };
                return Ok(of.map_or(inside, |of| of(inside)));
            }
        }
        for (name, value) in self.values {
            if self.take(name) {
                return if self.rest.starts_with('_') {
                    Err(format!("a subscript of `{name}`"))
                } else {
                    Ok(*value)
                };
            }
        }
        let rest = self.rest.trim_start();
        let end = rest
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .unwrap_or(rest.len());
        let number = rest[..end]
            .parse()
            .map_err(|_| format!("`{rest}` is no operand"))?;
        self.rest = &rest[end..];
        Ok(number)
    }
}

fn expression(random: &mut Pcg64, depth: usize) -> String {
    let operand = |random: &mut Pcg64| {
        if depth == 0 || random.random_range(0..4) == 0 {
            NAMES[random.random_range(0..NAMES.len())].to_string()
        } else {
            format!("({})", expression(random, depth - 1))
        }
    };
    let (a, b) = (operand(random), operand(random));
    let whole = random.random_range(2..8);
    match random.random_range(0..9) {
        0 => format!("-{a}"),
        1 => format!("{a} + {b}"),
        2 => format!("{a} - {b}"),
        3 => format!("{a} * {b}"),
        4 => format!("{a}^2 - {b}"),
        5 => format!("{a} div {whole}"),
        6 => format!("{a} / {whole}"),
        _ => format!("{a} mod {whole}"),
    }
}

#[test]
fn formulas_read_back_from_latex() {
    let mut random = Pcg64::seed_from_u64(52);
    let declared: String = NAMES
        .iter()
        .map(|name| format!("numeric parameter {name} : integer\n"))
        .collect();
    let (mut compared, mut remainders) = (0, 0);
    for _ in 0..25 {
        let equations: Vec<String> = (0..12).map(|_| expression(&mut random, 2)).collect();
        let numbered = equations.iter().enumerate();
        let all = numbered.map(|(k, e)| format!("numeric f{k} = {e}\n"));
        let text = format!("{declared}{}", all.collect::<String>());
        let model = Model::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let compiled = model.compile(&Options::default()).expect("closed forms");
        for _ in 0..3 {
            let values = NAMES.map(|name| (name, random.random_range(-9i64..10)));
            let point = values
                .iter()
                .fold(Point::default(), |point, (name, value)| {
                    point.with(name, *value)
                });
            let at = compiled.at(&point).expect("values");
            let mut own: Vec<(String, f64)> = values
                .iter()
                .map(|(name, value)| (latex_name(name), *value as f64))
                .collect();
            // The longest first, so that no name is taken for the beginning of another.
            own.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
            for equation in compiled.equations() {
                let latex = equation.formula.latex();
                // What this reader does not know.
                if latex.contains("\\left[") || latex.contains("cases") {
                    continue;
                }
                let expected = at.number(&equation.name).expect("a value");
                let mut reader = Reader {
                    rest: &latex,
                    values: &own,
                };
                let found = reader
                    .whole()
                    .unwrap_or_else(|e| panic!("{latex}: {e}\n{text}"));
                assert!(
                    (found - expected).abs() <= 1e-9 * expected.abs().max(1.0),
                    "{latex} is read as {found}, not {expected}, at {values:?}\n{text}"
                );
                compared += 1;
                remainders += usize::from(latex.contains("\\bmod"));
            }
        }
    }
    assert!(
        compared > 600 && remainders > 100,
        "{compared}, {remainders}"
    );
}

/// By hand.
#[test]
fn remainders_and_subscripts_have_brackets_of_their_own() {
    let text = "numeric parameter x_ : > 0
        numeric parameter x : integer
        numeric parameter y : integer >= 1
        numeric f = x_ - x
        numeric d = (-x) mod (y + 1)
        numeric e = -(x mod (y + 1))
        numeric g = (x mod y) + 1
        numeric h = -((x - y)^2 + x_)
        numeric X_1 = exponential(x_)
        numeric k = kth (2 of i = 1, 3) { X_1 }";
    let simplified = Model::parse(text).and_then(|model| model.simplify(&Options::default()));
    let simplified = simplified.expect("closed forms");
    for (name, expected) in [
        ("f", r"\mathit{x\_} - x"),
        ("d", r"\left(-x\right) \bmod \left(y + 1\right)"),
        ("e", r"-\left(x \bmod \left(y + 1\right)\right)"),
        ("g", r"\left(x \bmod y\right) + 1"),
        // The last sign was lost.
        ("h", r"-\left(\left(x - y\right)^{2} + \mathit{x\_}\right)"),
    ] {
        let mut equations = simplified.equations.iter();
        let own = equations.find(|own| own.name == name).expect("an equation");
        assert_eq!(own.formula.latex(), expected, "{name}");
    }
}
