//! Graphs of tasks: closed forms against the recurrence of the definition, of known families and of random ones.

use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64;

use pamela::model::{Fraction, Model};
use pamela::syntax::tree::ParameterFact;
use pamela_lab::models::graphs::families;

use crate::selection::seeds;

use super::support::corpus::{CorpusModel, corpus};
use super::support::points::satisfies;
use super::support::{Bindings, Closed, closed_forms, compare, read, simplified};

/// Of all known families together.
const POINTS: usize = 1_000;
const FAMILIES: u64 = 300;
const GRAPHS: u64 = 120;

/// A point of a model's parameters, sizes from 0 to 9 among them.
fn point(model: &Model, random: &mut impl Rng) -> Bindings {
    let parameters = model.parameters().map(|parameter| {
        let is_whole = |fact: &ParameterFact| matches!(fact, ParameterFact::Integer(_));
        let value = if parameter.facts.iter().any(is_whole) {
            Fraction::new(random.random_range(0..10), 1)
        } else {
            Fraction::new(random.random_range(0..40), 4)
        };
        (parameter.name.text.clone(), value.into())
    });
    parameters.collect()
}

#[test]
fn known_families_agree_with_their_recurrence_at_a_thousand_points() {
    let models: Vec<CorpusModel> = corpus()
        .into_iter()
        // What files record has no sizes.
        .filter(|model| model.name.starts_with("graphs/") && !model.name.contains("/recorded_"))
        .collect();
    assert!(models.len() >= 10, "{}", models.len());
    let mut random = Pcg64::seed_from_u64(7);
    let mut wrong = Vec::new();
    for model in &models {
        let closed = simplified(model);
        let times: Vec<Closed> = closed
            .iter()
            .filter(|c| c.name == "T_main")
            .cloned()
            .collect();
        assert_eq!(times[0].open_reductions, 0, "{}", model.name);
        let checked = read(model.file(), &model.text);
        let points = std::iter::repeat_with(|| point(&checked, &mut random));
        // Facts leave out empty pipelines, and more devices than microbatches.
        let points = points.filter(|point| satisfies(&checked, point));
        let points: Vec<Bindings> = points.take(POINTS.div_ceil(models.len())).collect();
        let comparison = compare(model.file(), &model.text, &times, &points);
        wrong.extend(comparison.wrong);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn random_families_are_right_closed_or_not() {
    let (mut wrong, mut closed_count, mut open_count) = (Vec::new(), 0, 0);
    for seed in seeds("PAMELA_FAMILIES_OF_TASKS", FAMILIES) {
        let text = families(seed);
        let closed = closed_forms("random.pam", &text).unwrap_or_else(|e| panic!("{text}\n{e}"));
        let times: Vec<Closed> = closed.into_iter().filter(|c| c.name == "T_main").collect();
        match times[0].open_reductions {
            0 => closed_count += 1,
            _ => open_count += 1,
        }
        let points: Vec<Bindings> = (0..7)
            .map(|n: i64| {
                let model = read("random.pam", &text);
                let values = model.parameters().zip(1..).map(|(parameter, number)| {
                    let value = match parameter.name.text.as_str() {
                        "n" => n,
                        _ => (n * 5 + 3 * number) % 7,
                    };
                    (parameter.name.text.clone(), Fraction::new(value, 1).into())
                });
                values.collect()
            })
            .collect();
        let comparison = compare("random.pam", &text, &times, &points);
        wrong.extend(
            comparison
                .wrong
                .iter()
                .map(|fault| format!("{text}\n{fault}")),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        closed_count > 0 && open_count > 0,
        "{closed_count} close, {open_count} do not"
    );
}

/// Series and parallels as a process, and the tasks that are first and last in the graph of the same.
fn nested(
    random: &mut impl Rng,
    depth: u32,
    tasks: &mut Vec<(String, Vec<usize>)>,
    before: &[usize],
) -> (String, Vec<usize>) {
    if depth == 0 || random.random_range(0..4) == 0 {
        let time = ["x", "y", "2*x", "z"][random.random_range(0..4)];
        tasks.push((time.to_owned(), before.to_vec()));
        return (format!("delay({time})"), vec![tasks.len() - 1]);
    }
    let count = random.random_range(2..4);
    let mut texts = Vec::new();
    match random.random_range(0..2) {
        0 => {
            let mut last = before.to_vec();
            for _ in 0..count {
                let (text, ends) = nested(random, depth - 1, tasks, &last);
                texts.push(text);
                last = ends;
            }
            (format!("{{ {} }}", texts.join(" ; ")), last)
        }
        _ => {
            let mut last = Vec::new();
            for _ in 0..count {
                let (text, ends) = nested(random, depth - 1, tasks, before);
                texts.push(text);
                last.extend(ends);
            }
            (format!("{{ {} }}", texts.join(" || ")), last)
        }
    }
}

#[test]
fn series_and_parallels_are_what_seq_and_par_are() {
    let head =
        "numeric parameter x : >= 0\nnumeric parameter y : >= 0\nnumeric parameter z : >= 0\n";
    for seed in seeds("PAMELA_NESTED_GRAPHS", GRAPHS) {
        let mut tasks = Vec::new();
        let (process, _) = nested(&mut Pcg64::seed_from_u64(seed), 3, &mut tasks, &[]);
        let families = tasks.iter().enumerate().map(|(number, (time, before))| {
            let before: Vec<String> = before.iter().map(|u| format!("t{u}")).collect();
            let after = if before.is_empty() { "" } else { " after " };
            format!("t{number}: delay({time}){after}{}", before.join(", "))
        });
        let families: Vec<String> = families.collect();
        let graph = format!("{head}process main = graph {{ {} }}", families.join(" ; "));
        let forms = |text: &str| {
            let closed = closed_forms("nested.pam", text).unwrap_or_else(|e| panic!("{text}\n{e}"));
            let of = |name: &str| {
                closed
                    .iter()
                    .find(|c| c.name == name)
                    .map(|c| c.formula.clone())
            };
            [of("T_main"), of("phi_main")]
        };
        let same = format!("{head}process main = {process}");
        assert_eq!(forms(&graph), forms(&same), "{graph}\n{same}");
    }
}
