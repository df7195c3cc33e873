//! `pamela compare --measured`

use std::path::PathBuf;

use clap::Args;
use pamela_programs::calibrate::ranges;
use pamela_programs::compare::{Comparison, Row, compare as compared};
use pamela_programs::measured::Table;

use super::Arguments;
use crate::cli::measured::{Predictor, Reading, Target, left_aside, table, told};
use crate::cli::{Names, Outcome, notes, output, read_file, read_model, rule_base, shared, values};
use crate::diagnostic::Error;

// Arguments of `compare` for measured times. (A doc comment would also appear in the help of the command.)
#[derive(Debug, Args)]
pub struct Measured {
    /// Compare with times of a CSV table, a profile or a directory
    #[arg(long, value_name = "TABLE", conflicts_with_all = ["replications", "confidence", "seed", "max_events"])]
    pub measured: Option<String>,
    /// With --measured: read values from a JSON or TOML file
    #[arg(long, value_name = "FILE", requires = "measured")]
    pub params: Option<PathBuf>,
    #[command(flatten)]
    pub reading: Reading,
}

/// `pamela compare --measured`
pub fn compare(arguments: &Arguments, file: &str) -> Result<Outcome, Error> {
    let given = &arguments.measured;
    let model = read_model(&arguments.input)?;
    let process = arguments.process.as_deref();
    let target = Target::of(&model, process, None)?;
    let mut table = table(file, &given.reading, &model, &target, &[])?;
    for note in left_aside(&table) {
        output::note(&format!("note: {note}"));
    }
    let (calibrated, calibration) = match &given.params {
        Some(path) => (
            ranges(&read_file(path)?),
            path.to_string_lossy().into_owned(),
        ),
        None => (Vec::new(), String::new()),
    };
    let values = shared::Values {
        define: arguments.define.clone(),
        params: given.params.clone(),
    };
    let values = values::given(&values, &Names::of(&model))?;
    let rules = rule_base(&arguments.rules)?;
    for (name, _) in &values {
        table.without(name);
    }
    let predictor = Predictor::new(model, &values, &target, &table, rules)?;
    notes::of_bounds(&predictor.compiled);
    let lacking = predictor.free();
    if !lacking.is_empty() {
        return Err(Error::new(format!(
            "no value of `{}`: set it with -D, --params or a column of the table",
            lacking.join("`, `")
        )));
    }
    let (predicted, regimes): (Vec<f64>, Vec<_>) =
        predictor.at(&[]).map_err(told)?.into_iter().unzip();
    let found = compared(&table, &predicted, &regimes, &calibrated);
    if arguments.json {
        output::json(&found)?;
        return Ok(Outcome::Done);
    }
    print(&found, &table)?;
    if !calibration.is_empty() && calibrated.is_empty() {
        output::note(&format!(
            "note: `{calibration}` does not state its calibrated range"
        ));
    }
    Ok(Outcome::Done)
}

/// A table in CSV; its last line is a comment.
fn print(found: &Comparison, table: &Table) -> Result<(), Error> {
    const COLUMNS: [&str; 8] = [
        "runs",
        "measured",
        "low",
        "high",
        "predicted",
        "error",
        "regime",
        "outside",
    ];
    let names = table.parameters.iter().map(|name| output::cell(name));
    let names = names.chain(COLUMNS.map(str::to_string));
    output::line(&names.collect::<Vec<_>>().join(","))?;
    // More digits than measured times have.
    let short = |value: f64| match format!("{value:.4e}").parse::<f64>() {
        Ok(value) => value.to_string(),
        Err(_) => value.to_string(),
    };
    let line = |row: &Row| {
        let values = row.values.iter().map(f64::to_string);
        let numbers = [row.measured, row.low, row.high, row.predicted].map(short);
        let own = [row.runs.to_string()].into_iter().chain(numbers);
        let regime = output::cell(row.regime.as_deref().unwrap_or_default());
        let last = [format!("{:.2}", row.error), regime, row.outside.join(" ")];
        values.chain(own).chain(last).collect::<Vec<_>>().join(",")
    };
    for row in &found.rows {
        output::line(&line(row))?;
    }
    output::line(&format!(
        "# {}",
        found.summary(&table.parameters[..table.sizes])
    ))
}
