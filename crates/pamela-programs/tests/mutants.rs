//! Whatever is done to a program, its model is one, or an error with words: no panic, no hang.

use pamela_programs::source::{self, Unit};
use pamela_programs::{Options, Problem, model};

const PROGRAMS: [&str; 11] = [
    include_str!("models/serial.c"),
    include_str!("models/threads.c"),
    include_str!("models/calls.c"),
    include_str!("models/pragmas.c"),
    include_str!("models/objects.c"),
    include_str!("models/outside.c"),
    include_str!("models/recursions.c"),
    include_str!("../../../tests/programs/mpi/halo2d.c"),
    include_str!("../../../tests/programs/mpi/halo3d.c"),
    include_str!("../../../tests/programs/mpi/farm.c"),
    include_str!("../../../tests/programs/mpi/oddeven.c"),
];

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound.max(1)
    }
}

/// The words, numbers, signs and blanks of a program.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    for letter in text.chars() {
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        match tokens.last_mut() {
            Some(last) if is_part(letter) && last.chars().all(is_part) => last.push(letter),
            _ => tokens.push(letter.to_string()),
        }
    }
    tokens
}

fn mutated(random: &mut Random) -> String {
    let mut tokens = tokens(PROGRAMS[random.below(PROGRAMS.len())]);
    for _ in 0..1 + random.below(6) {
        let (a, b) = (random.below(tokens.len()), random.below(tokens.len()));
        match random.below(6) {
            0 => {
                tokens.remove(a);
            }
            1 => tokens.swap(a, b),
            2 => {
                let token = tokens[b].clone();
                tokens.insert(a, token);
            }
            3 => {
                let end = (a + random.below(40)).min(tokens.len());
                let piece: Vec<String> = tokens[a..end].to_vec();
                let at = random.below(tokens.len());
                tokens.splice(at..at, piece);
            }
            4 => {
                tokens[a] = [
                    "0",
                    "-1",
                    "9223372036854775807",
                    "{",
                    "}",
                    "(",
                    ";",
                    "#",
                    "\"",
                    "é",
                ][random.below(10)]
                .to_string()
            }
            _ => {
                let end = (a + random.below(20)).min(tokens.len());
                tokens.drain(a..end);
            }
        }
        if tokens.is_empty() {
            return String::new();
        }
    }
    tokens.concat()
}

fn modelled(text: &str) -> Result<String, Problem> {
    let unit: Unit = source::parse("mutant.c", text.to_string())?;
    let units = [unit];
    let plain = model(&units, &Options::default())?;
    let counts = Options {
        counts: true,
        ..Options::default()
    };
    model(&units, &counts)?;
    Ok(plain.model)
}

/// `PAMELA_MUTANTS=10000` tries as many.
#[test]
fn mutated_programs_are_modelled_or_refused() {
    let number = std::env::var("PAMELA_MUTANTS")
        .ok()
        .and_then(|n| n.parse().ok());
    let mut random = Random(88_172_645_463_325_252);
    let mut modelled_at_all = 0;
    for _ in 0..number.unwrap_or(600) {
        let text = mutated(&mut random);
        let caught = std::panic::catch_unwind(|| modelled(&text));
        match caught {
            Ok(Ok(_)) => modelled_at_all += 1,
            Ok(Err(problem)) => assert!(!problem.to_string().is_empty()),
            Err(_) => panic!("a panic on\n{text}"),
        }
    }
    assert!(
        modelled_at_all > 50,
        "only {modelled_at_all} mutants have a model"
    );
}

#[test]
fn what_is_nested_too_deeply_is_refused() {
    for (open, close) in [
        ("(", ")"),
        ("{", "}"),
        ("if (n) ", ""),
        ("for (;;) ", ""),
        ("-", ""),
    ] {
        let is_statement = open != "(" && open != "-";
        let inside = format!("{}1{}", open.repeat(20_000), close.repeat(20_000));
        let body = if is_statement {
            format!("{}x = 1;{}", open.repeat(20_000), close.repeat(20_000))
        } else {
            format!("x = {inside};")
        };
        let text =
            format!("int main(int argc, char **argv) {{ int n = argc, x; {body} return 0; }}");
        assert!(modelled(&text).is_err(), "{open}");
    }
}
