//! Units: a model with them has the values of the same model without, what is printed reads back, and slips are found
//! where they are.

use pamela::compiled::Compiled;
use pamela::model::Units;
use pamela::pipeline::{Model, Options};
use pamela::ring::Rational;

use super::support::corpus::corpus;

/// Random models of the test, at so many points each; or as many as `PAMELA_UNITS` says, at 1,000 points each.
const MODELS: u64 = 50;
const POINTS: usize = 20;
const MORE_POINTS: usize = 1_000;
/// Models with slips, so many in each: 100 in all.
const WITH_SLIPS: u64 = 20;
const SLIPS: usize = 5;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    One,
    Time,
    Data,
    Work,
    Rate,
    Speed,
}

use Kind::{Data, One, Rate, Speed, Time, Work};

const KINDS: [Kind; 6] = [One, Time, Data, Work, Rate, Speed];

impl Kind {
    /// Units with what they are of the base units: a number, and one that it is divided by.
    fn units(self) -> &'static [(&'static str, i64, i64)] {
        match self {
            One => &[("1", 1, 1)],
            Time => &[
                ("us", 1, 1_000_000),
                ("ms", 1, 1_000),
                ("s", 1, 1),
                ("min", 60, 1),
            ],
            Data => &[
                ("B", 1, 1),
                ("KiB", 1024, 1),
                ("MB", 1_000_000, 1),
                ("kbit", 125, 1),
            ],
            Work => &[("FLOP", 1, 1), ("MFLOP", 1_000_000, 1)],
            Rate => &[
                ("B/s", 1, 1),
                ("MB/s", 1_000_000, 1),
                ("B/us", 1_000_000, 1),
            ],
            Speed => &[("FLOP/s", 1, 1), ("GFLOP/s", 1_000_000_000, 1)],
        }
    }

    fn parameters(self) -> &'static [&'static str] {
        match self {
            One => &["P", "n"],
            Time => &["alpha", "t"],
            Data => &["size", "page"],
            Work => &["work"],
            Rate => &["rate"],
            Speed => &["speed"],
        }
    }
}

/// The same text with units and without.
#[derive(Clone, Debug, Default)]
struct Twins {
    with: String,
    without: String,
}

impl Twins {
    fn same(text: impl ToString) -> Twins {
        let with = text.to_string();
        Twins {
            without: with.clone(),
            with,
        }
    }

    /// A text in which each `#` stands for a part.
    fn of(form: &str, parts: &[Twins]) -> Twins {
        let fill = |part: fn(&Twins) -> &String| {
            let mut pieces = form.split('#');
            let first = pieces.next().unwrap_or_default().to_owned();
            pieces
                .zip(parts)
                .fold(first, |text, (piece, own)| text + part(own) + piece)
        };
        Twins {
            with: fill(|both| &both.with),
            without: fill(|both| &both.without),
        }
    }
}

struct Generator {
    state: u64,
    /// Leaves so far, and the one that is wrong.
    leaves: usize,
    slip: Option<usize>,
    indices: usize,
}

impl Generator {
    fn new(seed: u64, slip: Option<usize>) -> Generator {
        Generator {
            state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d,
            leaves: 0,
            slip,
            indices: 0,
        }
    }

    fn below(&mut self, bound: usize) -> usize {
        self.state = self
            .state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.state >> 33) % bound as u64) as usize
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        let place = self.below(all.len());
        all[place]
    }

    fn leaf(&mut self, kind: Kind) -> Twins {
        let (literal, pick) = (self.below(2) == 0, self.below(6));
        self.leaves += 1;
        let kind = if self.slip == Some(self.leaves - 1) {
            // The random numbers that follow are the same.

            let others: Vec<Kind> = KINDS.into_iter().filter(|own| *own != kind).collect();
            others[pick % others.len()]
        } else {
            kind
        };
        let names = kind.parameters();
        if !literal {
            return Twins::same(names[pick % names.len()]);
        }
        let (number, (unit, scale, divisor)) = (1 + pick, kind.units()[pick % kind.units().len()]);
        match kind {
            One => Twins::same(number + 1),
            _ => Twins {
                with: format!("{number} [{unit}]"),
                without: format!("({number} * {scale} / {divisor})"),
            },
        }
    }

    fn expression(&mut self, kind: Kind, depth: usize) -> Twins {
        if depth == 0 {
            return self.leaf(kind);
        }
        let form = self.below(9);
        let part = |own: &mut Generator, kind| own.expression(kind, depth - 1);
        match (form, kind) {
            (0, _) => Twins::of("(# + #)", &[part(self, kind), part(self, kind)]),
            (1, _) => Twins::of("max(#, #)", &[part(self, kind), part(self, kind)]),
            (2, _) => Twins::of("min(#, #)", &[part(self, kind), part(self, kind)]),
            (3, _) => {
                let compared = self.one_of(&KINDS);
                let sides = [part(self, compared), part(self, compared)];
                let values = [part(self, kind), part(self, kind)];
                Twins::of("(if (# < #) # else #)", &[sides, values].concat())
            }
            (4, _) => {
                self.indices += 1;
                let index = format!("i{}", self.indices);
                let body = part(self, kind);
                let form = format!("(sum ({index} = 1, P) {{ {index} * # }})");
                Twins::of(&form, &[body])
            }
            (5 | 6, Time) => {
                let (amount, rate) = self.one_of(&[(Data, Rate), (Work, Speed)]);
                Twins::of("(# / #)", &[part(self, amount), part(self, rate)])
            }
            (5 | 6, Data) => Twins::of("(# * #)", &[part(self, Rate), part(self, Time)]),
            (5, One) => {
                let kind = self.one_of(&[Time, Data, Work]);
                Twins::of("ceil(# / #)", &[part(self, kind), part(self, kind)])
            }
            (6, One) => {
                let kind = self.one_of(&[Time, Data, Rate]);
                Twins::of("(# / #)", &[part(self, kind), part(self, kind)])
            }
            _ => Twins::of("(# * #)", &[part(self, One), part(self, kind)]),
        }
    }

    /// Lines, without their ends.
    fn model(&mut self) -> Vec<Twins> {
        let mut lines = vec![
            Twins::same("numeric parameter P : integer >= 1 <= 6"),
            Twins {
                with: "numeric parameter n : [1] > 0".to_owned(),
                without: "numeric parameter n : > 0".to_owned(),
            },
        ];
        for kind in &KINDS[1..] {
            for name in kind.parameters() {
                let unit = self.one_of(kind.units()).0;
                lines.push(Twins {
                    with: format!("numeric parameter {name} : [{unit}] > 0"),
                    without: format!("numeric parameter {name} : > 0"),
                });
            }
        }
        for (number, kind) in [Time, Data, One].into_iter().enumerate() {
            let unit = self.one_of(kind.units()).0;
            let value = self.expression(kind, 3);
            let head = format!("numeric e{number}");
            lines.push(Twins {
                with: format!("{head} : [{unit}] = {}", value.with),
                without: format!("{head} = {}", value.without),
            });
        }
        let parts = [self.expression(Time, 2), self.expression(Time, 2)];
        lines.push(Twins::of("process main = delay(#) ; delay(#)", &parts));
        lines
    }
}

fn joined(lines: &[Twins], part: fn(&Twins) -> &String) -> String {
    let lines: Vec<&str> = lines.iter().map(|line| part(line).as_str()).collect();
    lines.join("\n")
}

fn compiled(text: &str) -> Compiled {
    let model = Model::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let compiled = model.compile(&Options::default());
    compiled.unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// What the equations are at a point, each by its name.
fn values(compiled: &Compiled, point: &[(&str, Rational)]) -> Vec<(String, String)> {
    let mut at = pamela::compiled::Point::default();
    for (name, value) in point {
        at = at.with(name, value.clone());
    }
    let evaluated = compiled.at(at).unwrap_or_else(|error| panic!("{error}"));
    let equations = evaluated.equations.into_iter();
    let mut values: Vec<(String, String)> = equations
        .map(|equation| (equation.name, format!("{:?}", equation.value)))
        .collect();
    values.sort();
    values
}

#[test]
fn models_with_units_and_without_are_equal() {
    let asked = std::env::var("PAMELA_UNITS").ok();
    let asked = asked.and_then(|text| text.parse::<u64>().ok());
    let (models, points) = asked.map_or((MODELS, POINTS), |models| (models, MORE_POINTS));
    for seed in 0..models {
        let lines = Generator::new(seed, None).model();
        let (with, without) = (joined(&lines, |l| &l.with), joined(&lines, |l| &l.without));
        let (own, plain) = (compiled(&with), compiled(&without));
        let printed = printed(&with);
        let again = compiled(&printed);
        let mut random = Generator::new(seed + 1000, None);
        for _ in 0..points {
            let mut point = vec![("P", Rational::from(1 + random.below(6) as i64))];
            let names = ["n", "alpha", "t", "size", "page", "work", "rate", "speed"];
            for name in names {
                let value =
                    Rational::new(1 + random.below(4000) as i64, 1 + random.below(40) as i64);
                point.push((name, value.expect("the divisor is positive")));
            }
            let expected = values(&plain, &point);
            assert_eq!(values(&own, &point), expected, "{with}\n{point:?}");
            assert_eq!(
                values(&again, &point),
                expected,
                "{with}\n{printed}\n{point:?}"
            );
        }
    }
}

/// What is printed of a model with units.
fn printed(text: &str) -> String {
    let model = Model::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let simplified = model.simplify(&Options::default());
    let simplified = simplified.unwrap_or_else(|error| panic!("{error}\n{text}"));
    pamela::document::pamela(&model, &simplified)
}

/// True if the forms of a model, read again, are those that are found; what is said of them is of the model that they
/// are read from.
fn is_settled(text: &str) -> bool {
    let forms = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| !line.starts_with('%'));
        lines.map(str::to_owned).collect()
    };
    let once = printed(text);
    forms(&printed(&once)) == forms(&once)
}

#[test]
fn what_is_printed_with_units_simplifies_to_itself() {
    let own = corpus().into_iter();
    let own = own.filter(|model| model.name.starts_with("units/"));
    let own: Vec<_> = own.collect();
    assert!(own.len() >= 20);
    for model in own {
        assert!(is_settled(&model.text), "{}", printed(&model.text));
    }
    // Cases within cases may be written in several ways; with units there are no more of them.
    let (mut with, mut without) = (0, 0);
    for seed in 0..MODELS {
        let lines = Generator::new(seed, None).model();
        with += usize::from(is_settled(&joined(&lines, |l| &l.with)));
        without += usize::from(is_settled(&joined(&lines, |l| &l.without)));
    }
    println!("{with} of {MODELS} with units simplify to themselves, {without} without");
    assert!(with >= without);
}

#[test]
fn planted_slips_are_found_in_their_lines() {
    let mut planted = 0;
    for seed in 0..WITH_SLIPS {
        let mut whole = Generator::new(seed, None);
        let right = whole.model();
        Model::parse(&joined(&right, |l| &l.with)).unwrap_or_else(|error| panic!("{error}"));
        for number in 0..SLIPS {
            let slip = (number * whole.leaves) / SLIPS;
            let wrong = Generator::new(seed, Some(slip)).model();
            let line = right
                .iter()
                .zip(&wrong)
                .position(|(a, b)| a.with != b.with)
                .expect("a leaf of another kind");
            let text = joined(&wrong, |l| &l.with);
            let error = Model::parse(&text).expect_err(&text);
            let (place, _) = error.diagnostics[0].labels[0];
            let found = text[..place.start as usize].matches('\n').count();
            assert_eq!(found, line, "{error}\n{text}");
            planted += 1;
        }
    }
    assert_eq!(planted, 100);
}

#[test]
fn a_model_without_brackets_has_no_dimensions() {
    let model = Model::parse("numeric parameter t\nprocess main = delay(t + 5)");
    let units: Units = model.expect("it is right").checked().units().clone();
    assert!(!units.is_used());
}
