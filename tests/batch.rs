//! Columns of values against one point after the other, bit for bit, on all models of the corpus.

use std::path::Path;

use pamela::compiled::{Column, Compiled, Flag, Point, decimal};
use pamela::effort::Effort;
use pamela::eval::Value;
use pamela::eval::certified::{Batch, CertifiedDouble, Engine, InputRange, Program};
use pamela::{Model, Options};

/// Whole numbers, decimals that no double holds, steps, and what closed forms do not take.
const VALUES: [f64; 16] = [
    1.0, 2.0, 3.0, 5.0, 8.0, 12.0, 100.0, 0.0, 0.1, 0.5, 2.7, 33.3, 40.0, -1.0, -0.3, 1e-3,
];
const POINTS: usize = 16;

fn models() -> Vec<String> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut files = Vec::new();
    for directory in ["papers", "codes", "patterns", "algebra", "issues"] {
        for entry in std::fs::read_dir(corpus.join(directory)).expect("the corpus is there") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|extension| extension == "pam") {
                files.push(path.to_string_lossy().into_owned());
            }
        }
    }
    files.sort();
    files
}

/// With low effort, so that the definition is not walked for long.
fn compiled(file: &str) -> Option<Compiled> {
    let options = Options {
        effort: Effort::Low,
        ..Options::default()
    };
    let model = Model::from_file(file).ok()?;
    model.compile(&options).ok()
}

/// A sequence of numbers that is the same in every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as usize
    }
}

/// Scalars that are cheap to loop over.
fn is_cheap(compiled: &Compiled) -> bool {
    let closed = compiled
        .equations()
        .iter()
        .all(|e| e.formula.open_reductions() == 0);
    let scalar = compiled.parameters().iter().all(|p| !p.law);
    let few = compiled.parameters().len() <= 12 && compiled.equations().len() <= 12;
    let laws = compiled
        .equations()
        .iter()
        .any(|e| e.sort == pamela::expr::Sort::Law);
    closed && scalar && few && !laws
}

#[test]
fn columns_have_the_bits_of_points() {
    let (mut compared, mut closed, mut models_seen) = (0, 0, 0);
    let mut numbers = Numbers(7);
    for file in models() {
        let Some(compiled) = compiled(&file) else {
            continue;
        };
        if !is_cheap(&compiled) || compiled.parameters().is_empty() {
            continue;
        }
        let names: Vec<String> = compiled
            .parameters()
            .iter()
            .map(|p| p.name.clone())
            .collect();
        let whole: Vec<bool> = compiled.parameters().iter().map(|p| p.whole).collect();
        let mut value = |whole: bool| {
            let few = if whole { 7 } else { VALUES.len() };
            // Numbers of loops stay small where the definition has to go through them.
            VALUES[numbers.next() % few]
        };
        let columns: Vec<Vec<f64>> = whole
            .iter()
            .map(|&whole| (0..POINTS).map(|_| value(whole)).collect())
            .collect();
        let given: Vec<(&str, Column)> = names
            .iter()
            .zip(&columns)
            .map(|(name, values)| (name.as_str(), Column::new(values.clone())))
            .collect();
        let Ok(batch) = compiled.batch(&given, &[]) else {
            continue;
        };
        models_seen += 1;
        for lane in 0..POINTS {
            let point =
                names
                    .iter()
                    .zip(&columns)
                    .fold(Point::default(), |point, (name, values)| {
                        point.with(name, decimal(values[lane]).expect("a finite number"))
                    });
            let evaluated = compiled.at(&point);
            for column in &batch.equations {
                let own = evaluated.as_ref().ok();
                let own = own.and_then(|e| e.equations.iter().find(|e| e.name == column.name));
                let own = own.and_then(|equation| match &equation.value {
                    Value::Scalar(number) => Some(number.to_f64()),
                    _ => None,
                });
                let place = format!("{file}: {} at {point:?}", column.name);
                match own {
                    Some(value) => {
                        assert_eq!(column.values[lane].to_bits(), value.to_bits(), "{place}");
                        compared += 1;
                        closed += usize::from(column.flags[lane] == Flag::Closed);
                    }
                    None => assert_eq!(column.flags[lane], Flag::Failed, "{place}"),
                }
            }
        }
    }
    assert!(models_seen > 60, "{models_seen} models");
    assert!(
        compared > 700 && closed > 400,
        "{compared} values, {closed} closed"
    );
}

/// What a program computes by one engine, and whether its numbers were fractions of whole ones.
fn computed(
    program: &Program,
    columns: &[Vec<f64>],
    decimals: u32,
    engine: Engine,
) -> (Vec<Vec<u64>>, bool) {
    let near = columns.iter().map(|column| {
        let near = column.iter().map(|&x| CertifiedDouble::of_decimal(x));
        near.map(|near| (near.low, near.error)).unzip()
    });
    let near: Vec<(Vec<f64>, Vec<f64>)> = near.collect();
    let batches = columns.iter().zip(&near);
    let batches = batches.map(|(high, (low, error))| Batch::Pairs { high, low, error });
    let batches: Vec<Batch> = batches.collect();
    let ranges = columns
        .iter()
        .map(|column| InputRange::of_decimals(column, decimals));
    let ranges: Vec<Option<InputRange>> = ranges.collect();
    let length = columns[0].len();
    let mut results = vec![vec![0.0; length]; program.results()];
    let mut views: Vec<&mut [f64]> = results.iter_mut().map(Vec::as_mut_slice).collect();
    let mut scratch = program.scratch();
    scratch.use_engine(engine);
    let computed = program.evaluate_in((&batches, &ranges), length, &mut scratch, &mut views);
    let by_fractions = computed.is_some_and(|computed| computed.is_certain);
    let known = computed.map_or(&[][..], |computed| computed.known);
    for (view, known) in views.iter_mut().zip(known) {
        known.iter().for_each(|&value| view.fill(value));
    }
    let bits = |column: &Vec<f64>| column.iter().map(|x| x.to_bits()).collect();
    (results.iter().map(bits).collect(), by_fractions)
}

/// All closed forms of the corpus with their conditions, at numbers of which some are huge, and some are nothing that they
/// take.
#[test]
fn engines_have_the_same_bits() {
    const LENGTH: usize = 72;
    let sizes = [1.0, 10.0, 1e3, 1e6, 1e12, 1e15];
    let (mut numbers, mut by_fractions, mut all) = (Numbers(11), 0, 0);
    for file in models() {
        let Some(compiled) = compiled(&file) else {
            continue;
        };
        let scalars = compiled.parameters().iter().filter(|p| !p.law);
        let names: Vec<&str> = scalars.map(|p| p.name.as_str()).collect();
        let Some(first) = compiled.equations().first().filter(|_| !names.is_empty()) else {
            continue;
        };
        let arena = first.formula.arena();
        let mut compiler = Program::compiler(arena, &names);
        for equation in compiled.equations() {
            let formula = &equation.formula;
            if std::ptr::eq(formula.arena(), arena) {
                let roots = formula.conditions().iter().copied();
                // What batches cannot tell is left out.
                roots.chain([formula.root()]).for_each(|root| {
                    let _ = compiler.add(root);
                });
            }
        }
        let program = compiler.finish();
        for round in 0..12 {
            let size = sizes[round % sizes.len()];
            let decimals = (round / sizes.len()) as u32;
            let lowest = if round % 3 == 2 { -1.0 } else { 1.0 };
            let mut number = || {
                let share = (numbers.next() % 1000) as f64 / 1000.0;
                let whole = (share * size).round().max(lowest);
                whole / 10f64.powi(decimals as i32)
            };
            let columns: Vec<Vec<f64>> = names
                .iter()
                .map(|_| (0..LENGTH).map(|_| number()).collect())
                .collect();
            let own = |engine| computed(&program, &columns, decimals, engine);
            let (tiles, is_fraction) = own(Engine::Tiles);
            assert_eq!(tiles, own(Engine::Machine).0, "{file} at {columns:?}");
            all += 1;
            by_fractions += usize::from(is_fraction);
        }
    }
    assert!(
        all > 1000 && 4 * by_fractions > all,
        "{by_fractions} of {all}"
    );
}
