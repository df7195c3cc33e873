use pamela::{algebra::*, expr::Arena, formula::Formula, model::Model, syntax, timing};
use std::rc::Rc;
fn main() {
    let all = std::env::args().any(|a| a == "--all");
    let strict = std::env::args().any(|a| a == "--strict");
    for file in std::env::args().skip(1).filter(|a| !a.starts_with("--")) {
        let text = std::fs::read_to_string(&file).unwrap();
        let (tree, sources) = syntax::parse_model(&file, &text, &syntax::FileLoader).unwrap();
        let model = Model::check(tree, sources).unwrap();
        let mut arena = Arena::new();
        let lowered = timing::lower(&model, &mut arena).unwrap();
        let facts: Vec<_> = lowered
            .facts
            .iter()
            .map(|f| match *f {
                timing::Fact::Integer(e) => arena.apply(pamela::expr::Function::Integer, e),
                timing::Fact::Holds(e) => e,
            })
            .collect();
        let base = RuleBase::standard().unwrap();
        let start = std::time::Instant::now();
        let mut s = Simplifier::new(
            arena,
            &facts,
            base,
            Options {
                strict,
                ..Options::default()
            },
        );
        let mut out = Vec::new();
        for e in &lowered.equations {
            if !all
                && (e.name.starts_with("phi_")
                    || e.name.starts_with("delta_")
                    || e.name.starts_with("omega_"))
            {
                continue;
            }
            let c = s.close(e.expr);
            let cost = 0;
            out.push((e.name.clone(), c, cost));
        }
        println!("== {file} {:?} {:?}", start.elapsed(), s.statistics());
        let arena = Rc::new(s.into_arena());
        for (name, c, cost) in out {
            let f = Formula::new(arena.clone(), c.expr, c.assumptions.clone());
            println!(
                "{}{name} = {}",
                if cost > 0 { "OPEN " } else { "" },
                f.pamela()
            );
            for c in f.condition_texts(pamela::formula::Notation::Pamela) {
                println!("    % valid for {c}");
            }
        }
    }
}
