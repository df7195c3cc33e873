//! `pamela machine --mpi`

use std::collections::BTreeMap;
use std::time::Duration;

use clap::Args;
use pamela_programs::measured::{Point, Table};
use pamela_programs::profile::regimes::{Regime, regimes};
use pamela_programs::profile::{Timed, messages};
use pamela_programs::source::{self, Compiler, words};

use super::measured::{ParameterValues, Predictor, Target, told};
use crate::diagnostic::Error;
use crate::pipeline::Model;
use crate::syntax::FileLoader;

/// The calls of the measuring program. Each becomes a program of its own, whose model gives the predicted time.
const CALLS: [(&str, &str); 7] = [
    ("barrier", "MPI_Barrier(MPI_COMM_WORLD)"),
    ("bcast", "MPI_Bcast(a, n, MPI_DOUBLE, 0, MPI_COMM_WORLD)"),
    (
        "reduce",
        "MPI_Reduce(a, b, n, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD)",
    ),
    (
        "allreduce",
        "MPI_Allreduce(a, b, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD)",
    ),
    (
        "gather",
        "MPI_Gather(a, n, MPI_DOUBLE, b, n, MPI_DOUBLE, 0, MPI_COMM_WORLD)",
    ),
    (
        "allgather",
        "MPI_Allgather(a, n, MPI_DOUBLE, b, n, MPI_DOUBLE, MPI_COMM_WORLD)",
    ),
    (
        "alltoall",
        "MPI_Alltoall(a, n, MPI_DOUBLE, b, n, MPI_DOUBLE, MPI_COMM_WORLD)",
    ),
];
const WORD: u64 = 8;

#[derive(Debug, Args)]
pub struct Mpi {
    /// Measure MPI instead of OpenMP
    #[arg(long, conflicts_with = "threads")]
    pub mpi: bool,
    /// Numbers of ranks to measure
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',', default_value = "2", requires = "mpi",
          value_parser = clap::value_parser!(u64).range(2..=4096))]
    ranks: Vec<u64>,
    /// Command that starts {P} ranks
    #[arg(
        long,
        value_name = "COMMAND",
        default_value = "mpirun -n {P}",
        requires = "mpi"
    )]
    run: String,
    /// Message size for t_startup and t_word
    #[arg(long, value_name = "NUMBER", default_value_t = 8, requires = "mpi")]
    bytes: u64,
}

impl Mpi {
    /// Parameters of MPI on this machine, in the format of `--params`, with the measurements as comments.
    ///
    /// # Errors
    /// Fails if MPI is missing, or does not start the requested number of ranks.
    pub fn text(
        &self,
        compiler: &Compiler,
        timeout: Duration,
        is_known: &dyn Fn(&str) -> bool,
    ) -> Result<String, Error> {
        let run = words(&self.run).map_err(told)?;
        let mut measured: BTreeMap<u64, Vec<Timed>> = BTreeMap::new();
        for ranks in &self.ranks {
            let found = messages(compiler, &run, *ranks, timeout).map_err(told)?;
            measured.insert(*ranks, found);
        }
        let Some(first) = measured.values().next() else {
            return Err(Error::new("no number of ranks is given".to_string()));
        };
        let sent: Vec<(u64, f64)> = of(first, "message").map(|t| (t.bytes, t.seconds)).collect();
        let operation = of(first, "operation").next();
        let (Some(both), Some(operation)) = (regimes(&sent), operation) else {
            return Err(Error::new(
                "the measuring program printed too few times".to_string(),
            ));
        };
        let t_op = operation.seconds / (operation.bytes / WORD) as f64;
        let chosen = regime(&both, self.bytes);
        let mut text = format!(
            "# started by {}; seconds, words of {WORD} bytes\n",
            self.run
        );
        let range = format!("    # messages of {} to {} bytes", chosen.from, chosen.to);
        for (name, value, comment) in [
            ("t_startup", chosen.startup, range.as_str()),
            ("t_word", chosen.word, &range),
            ("t_op", t_op, ""),
        ] {
            if is_known(name) {
                text.push_str(&format!("{name} = {value:.3e}{comment}\n"));
            }
        }
        for other in both.iter().filter(|regime| *regime != chosen) {
            text.push_str(&format!(
                "# messages of {} to {} bytes: t_startup = {:.3e}, t_word = {:.3e}\n",
                other.from, other.to, other.startup, other.word
            ));
        }
        let fitted = sent
            .iter()
            .map(|(bytes, _)| regime(&both, *bytes).time(*bytes));
        text.push_str(&table("message", None, &sent, &fitted.collect::<Vec<_>>()));
        for (ranks, times) in &measured {
            for (what, call) in CALLS {
                let times: Vec<(u64, f64)> =
                    of(times, what).map(|t| (t.bytes, t.seconds)).collect();
                let modelled = modelled(call, *ranks, &times, &both, t_op)?;
                text.push_str(&table(what, Some(*ranks), &times, &modelled));
            }
        }
        Ok(text)
    }
}

fn of<'t>(times: &'t [Timed], what: &'t str) -> impl Iterator<Item = &'t Timed> {
    times.iter().filter(move |timed| timed.what == what)
}

fn regime(both: &[Regime; 2], bytes: u64) -> &Regime {
    if bytes <= both[0].to {
        &both[0]
    } else {
        &both[1]
    }
}

/// The times of a call of all ranks by its model.
fn modelled(
    call: &str,
    ranks: u64,
    times: &[(u64, f64)],
    both: &[Regime; 2],
    t_op: f64,
) -> Result<Vec<f64>, Error> {
    let program = format!(
        "int main(int argc, char **argv) {{ int n = atoi(argv[1]); double *a, *b; MPI_Init(&argc, &argv); {call}; }}"
    );
    let unit = source::parse("call.c", program).map_err(told)?;
    let model = pamela_programs::model(&[unit], &Default::default()).map_err(told)?;
    let model = Model::read("call", &model.model, &FileLoader)?;
    let names = model.scalar_parameters().map(str::to_string);
    let parameters: Vec<String> = names
        .filter(|name| ["P", "n"].contains(&name.as_str()))
        .collect();
    let value = |name: &String, bytes: u64| if name == "P" { ranks } else { bytes / WORD } as f64;
    let point = |(place, (bytes, seconds)): (usize, &(u64, f64))| Point {
        values: parameters.iter().map(|name| value(name, *bytes)).collect(),
        times: vec![*seconds],
        line: place,
        ..Point::default()
    };
    let table = Table {
        sizes: parameters.len(),
        points: times.iter().enumerate().map(point).collect(),
        parameters,
        ..Table::default()
    };
    let target = Target::of(&model, None, None)?;
    let predictor = Predictor::new(model, &[], &target, &table, crate::rules::standard()?)?;
    let of_regime = |time: fn(&Regime) -> f64| {
        ParameterValues::At(
            times
                .iter()
                .map(|(bytes, _)| time(regime(both, *bytes)))
                .collect(),
        )
    };
    let value = |name: &String| match name.as_str() {
        "t_startup" => of_regime(|regime| regime.startup),
        "t_word" => of_regime(|regime| regime.word),
        "t_op" => ParameterValues::Everywhere(t_op),
        _ => ParameterValues::Everywhere(0.0),
    };
    let free = predictor.free();
    let given: Vec<(&str, ParameterValues)> = free
        .iter()
        .map(|name| (name.as_str(), value(name)))
        .collect();
    let found = predictor.at(&given).map_err(told)?;
    Ok(found.into_iter().map(|(time, _)| time).collect())
}

/// Measured times beside those of the model, as comments.
fn table(what: &str, ranks: Option<u64>, times: &[(u64, f64)], modelled: &[f64]) -> String {
    let with = ranks.map_or(String::new(), |ranks| format!(", {ranks} ranks"));
    let mut text = format!(
        "#\n# {what}{with}\n#{:>10} {:>11} {:>11}\n",
        "bytes", "measured", "model"
    );
    for ((bytes, seconds), model) in times.iter().zip(modelled) {
        text.push_str(&format!("#{bytes:>10} {seconds:>11.3e} {model:>11.3e}\n"));
    }
    text
}
