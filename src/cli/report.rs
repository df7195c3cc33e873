//! `pamela report`

use std::path::PathBuf;

use clap::Args;

use super::arguments::{Input, RuleOptions, parse_definition};
use super::sweep_values::Given;
use super::{Outcome, compiling, output, read_file, sweep_values};
use crate::compiled::Compiled;
use crate::diagnostic::Error;
use crate::document;
use crate::pipeline::{Options, plain_error};
use crate::report::{self, Page, Slider};
use crate::ring::Rational;
use crate::sweep::Axis;

pub const EXAMPLES: &str = "\
Examples:
  pamela report model.pam -D P=1:128 -D N=1000 -o report.html
  pamela report model.pam -D P='2^(0:10)' -D N=1e3,1e6 -D ts=0.1 -o report.html

The page has a slider for each parameter, over the values that are given, or around the one value. The first parameter
with several values is the horizontal axis of the picture.";

/// A slider has no more positions.
const MOST_POSITIONS: u64 = 1000;

#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    input: Input,
    /// Give a parameter a value, a range `1:64`, a list `1,2,4`, `log(1e3, 1e9, 13)`, `2^(0:10)` (repeatable)
    #[arg(short = 'D', value_name = "NAME=VALUES", value_parser = parse_definition)]
    define: Vec<(String, String)>,
    /// Read values from a TOML or JSON file
    #[arg(long, value_name = "FILE")]
    params: Option<PathBuf>,
    #[command(flatten)]
    rules: RuleOptions,
    /// Also phi_L (critical path), delta_L (demand) and omega_L (bottleneck) of each process L
    #[arg(long)]
    all: bool,
    /// What stands above [default: the name of the model]
    #[arg(long)]
    title: Option<String>,
    /// Write to this file [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let given = sweep_values::given(&arguments.define, arguments.params.as_deref(), false)?;
    let long = given.axes.iter().find(|axis| axis.len() > MOST_POSITIONS);
    if let Some(axis) = long {
        return Err(plain_error(format!(
            "`{}` has {} values, and a slider has at most {MOST_POSITIONS} positions; take fewer, for example `log(1, 1e6, \
             61)` or `1:10:1000`",
            axis.names[0],
            axis.len()
        )));
    }
    let swept = given.axes.iter().flat_map(|axis| axis.names.clone());
    let options = Options {
        all: arguments.all,
        explain: true,
        regimes: true,
        sensitivity: swept.collect(),
        ..Options::default()
    };
    let (compiled, given) =
        compiling::compile(&arguments.input, given, &options, &arguments.rules)?;
    let model = match arguments.input.file.as_str() {
        "-" => document::pamela(compiled.model()?, compiled.simplified()),
        file => read_file(file.as_ref())?,
    };
    let page = Page {
        title: arguments
            .title
            .clone()
            .unwrap_or_else(|| arguments.input.file.clone()),
        model,
        sliders: sliders(&compiled, &given)?,
        pictures: pictures(&compiled, &given, arguments)?,
    };
    let text = report::page(&compiled, &page)?;
    match &arguments.output {
        Some(path) => output::file(path, text.trim_end())?,
        None => output::line(text.trim_end())?,
    }
    Ok(Outcome::Done)
}

/// One for each parameter, in the order of the model.
fn sliders(compiled: &Compiled, given: &Given) -> Result<Vec<Slider>, Error> {
    let plan = compiled.plan(&[]).ok();
    let mut sliders = Vec::new();
    for parameter in compiled.parameters().iter().filter(|p| !p.law) {
        let name = &parameter.name;
        let axis = given.axes.iter().find(|axis| axis.names.contains(name));
        let constant = given.constants.iter().find(|(own, _)| own == name);
        let constant = constant.map(|(_, value)| value.clone());
        let default = || plan.as_ref().and_then(|plan| plan.default(name));
        sliders.push(match (axis, constant.or_else(default)) {
            (Some(axis), _) => Slider::of_list(name, doubles(axis)),
            (None, Some(value)) => Slider::around(name, value.to_f64(), is_whole(parameter.whole, &value)),
            (None, None) => {
                return Err(plain_error(format!(
                    "`{name}` has no value; give it one, or a range for its slider, by `-D {name}=1:100`"
                )));
            }
        });
    }
    Ok(sliders)
}

/// What has a large whole value is hardly meant to be anything else.
fn is_whole(declared: bool, value: &Rational) -> bool {
    declared || (value.is_integer() && value.to_f64() >= 100.0)
}

fn doubles(axis: &Axis) -> Vec<f64> {
    axis.values[0].doubles(0, axis.len() as usize)
}

/// The equations over the first parameter with several values, the others at the middle of theirs.
#[cfg(feature = "plot")]
fn pictures(
    compiled: &Compiled,
    given: &Given,
    arguments: &Arguments,
) -> Result<Vec<(String, String)>, Error> {
    use crate::plot::{Request, curves};
    use crate::sweep::Grid;
    use crate::timing::Origin;

    let [first, others @ ..] = given.axes.as_slice() else {
        return Ok(Vec::new());
    };
    let mut constants = given.constants.clone();
    for axis in others {
        let values = doubles(axis);
        let middle = crate::compiled::decimal(values[values.len() / 2]);
        constants.extend(middle.map(|value| (axis.names[0].clone(), value)));
    }
    let at: Vec<String> = constants
        .iter()
        .map(|(name, value)| format!("{name} = {}", value.to_f64()))
        .collect();
    let results = compiled.equations().iter().filter(|e| {
        let derived = matches!(
            e.origin,
            Origin::Derivative { .. } | Origin::Elasticity { .. } | Origin::Moment { .. }
        );
        let number = e.sort != crate::expr::Sort::Vector && e.formals.is_empty();
        !e.auxiliary && !derived && number && (arguments.all || e.origin.is_result())
    });
    // More curves cannot be told apart.
    let only: Vec<String> = results.map(|e| e.name.clone()).take(6).collect();
    if only.is_empty() {
        return Ok(Vec::new());
    }
    let options = Options {
        only,
        regimes: true,
        ..Options::default()
    };
    let request = Request {
        grid: Grid::new(vec![first.clone()], constants)?,
        title: String::new(),
        relative: None,
        band: (0.1, 0.9),
        scales: [None, None],
        unit: None,
        measured: Vec::new(),
    };
    let picture = curves(&compiled.restricted(&options)?, &request)?;
    let caption = match at.is_empty() {
        true => format!("over {}", first.names[0]),
        false => format!("over {}, at {}", first.names[0], at.join(", ")),
    };
    Ok(vec![(caption, picture.svg())])
}

#[cfg(not(feature = "plot"))]
fn pictures(_: &Compiled, _: &Given, _: &Arguments) -> Result<Vec<(String, String)>, Error> {
    Ok(Vec::new())
}
