//! The structures of Figure 1: fork and join, fewer processors than tasks, and messages.

use crate::diagnostic::Error;
use crate::law::{Cumulants, Distribution, Named, order};
use crate::pipeline::{Model, Options};
use crate::study::report::{Table, Unit, errors};

/// Tasks between the first and the last.
const TASKS: u32 = 64;

const MODEL: &str = "\
numeric parameter n : integer >= 1
numeric parameter p : integer >= 1
numeric X = erlang(2, 2)
numeric K = exponential(1)
process a = { delay(X) ; par (i = 1, n) delay(X) ; delay(X) }
process b = { delay(X) ; par (j = 1, p) seq (i = 1, n / p) delay(X) ; delay(X) }
process c = {
    delay(X) ;
    {
        seq (i = 1, n / p) delay(X) ||
        par (j = 2, p) { delay(K) ; seq (i = 1, n / p) delay(X) ; delay(K) }
    } ;
    delay(X)
}
";

/// The mean times on 1 to 64 processors.
pub(super) fn table() -> Result<Table, Error> {
    let model = Model::parse(MODEL)?;
    let columns = ["E of (a)", "E of (b)", "E of (c)"];
    let mut table = Table::new("Figure 1: 64 tasks of law erlang(2, 2)", "p", &columns);
    for p in [1, 2, 4, 8, 16, 32, 64] {
        let point = p.to_string();
        let measured = measured(p).map_err(Error::new)?.map(Some);
        table.add(&point, "measured", Unit::Value, measured.to_vec());
        let errors = errors(&evaluated(&model, p)?, &measured);
        table.add(&point, "pamela", Unit::ErrorInPercent, errors);
    }
    Ok(table)
}

/// The time of tasks in a row has an Erlang law again.
fn measured(p: u32) -> Result<[f64; 3], String> {
    let erlang = |stages: u32| Named::new("erlang", &[f64::from(stages), f64::from(stages)]);
    let ends = 4.0;
    let (one, chain) = (erlang(2)?, erlang(2 * TASKS / p)?);
    let with_messages = erlang(2 * TASKS / p + 2)?;
    let mut all: Vec<&dyn Distribution> = vec![&chain];
    all.extend((1..p).map(|_| &with_messages as &dyn Distribution));
    let largest =
        |law: &Named, n: u32| -> Result<Cumulants, String> { order::largest(law, f64::from(n)) };
    Ok([
        largest(&one, TASKS)?.mean + ends,
        largest(&chain, p)?.mean + ends,
        order::largest_of(&all)?.mean + ends,
    ])
}

fn evaluated(model: &Model, p: u32) -> Result<Vec<Option<f64>>, Error> {
    let values = [("n", TASKS), ("p", p)];
    let values = values.map(|(name, value)| (name.to_string(), value.to_string()));
    let rules = crate::rules::standard()?;
    let evaluated = model.evaluate(&values, rules, &Options::default())?;
    let mean = |name: &str| {
        let mut equations = evaluated.equations.iter();
        let time = equations.find(|equation| equation.name == name)?;
        Some(time.law.as_ref()?.cumulants.mean)
    };
    Ok(["T_a", "T_b", "T_c"].map(mean).to_vec())
}
