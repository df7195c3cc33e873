//! `pamela plot`

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use pamela_plot::{Picture, Scale};

use super::arguments::{Input, Laws, RuleOptions, parse_definition, parse_probability};
use super::{Outcome, compiling, output, read_file, sweep_values};
use crate::compiled::{Compiled, Point};
use crate::diagnostic::Error;
use crate::pipeline::{Options, SimplifiedEquation, plain_error};
use crate::plot::{self, Relative, Request, Shape};
use crate::sweep::Grid;
use crate::timing::Origin;

pub const EXAMPLES: &str = "\
Examples:
  pamela plot model.pam -D P=1:128 -D N=1e6 -o time.svg
  pamela plot model.pam -D P='2^(0:10)' -D N=1e3,1e6 -o time.png      a curve for each N
  pamela plot model.pam -D P=1:128 -D N=1e6 --speedup --measured runs.csv -o speedup.svg
  pamela plot model.pam -D P=1:64 -D N='log(1, 1e6, 40)' --heat -o heat.svg
  pamela plot model.pam -D P=8 -D N=100 --density -o law.svg          of what is random
  pamela plot model.pam -D P=1:32 -D N=50 --bounds -o bounds.svg      where processes share resources
  pamela plot model.pam -D P=1:128 -D N=1e6 --terminal
  pamela plot model.pam -D P=1:128 -D N=1e6 --emit vega-lite

The first parameter with several values is the horizontal axis, the second gives a curve for each value. Regimes are
shaded, and where they cross is marked. Measured points are read from a CSV file: a column called as the horizontal
parameter, one called as the equation or `value`, and perhaps one called `error`.";

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
    /// Only these equations [default: the times of processes, where there are some]
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    only: Vec<String>,
    /// The value at the base over the value
    #[arg(long)]
    speedup: bool,
    /// The speedup over how many times the base it is
    #[arg(long, conflicts_with = "speedup")]
    efficiency: bool,
    /// What speedups are relative to: a value of the horizontal parameter
    #[arg(long, value_name = "VALUE", default_value_t = 1.0)]
    base: f64,
    /// A heat map over two parameters
    #[arg(long, conflicts_with_all = ["speedup", "efficiency", "measured"])]
    heat: bool,
    /// The densities of laws at one point
    #[arg(long, conflicts_with_all = ["speedup", "efficiency", "heat", "measured"])]
    density: bool,
    /// The distribution functions of laws at one point
    #[arg(long, conflicts_with_all = ["speedup", "efficiency", "heat", "measured", "density"])]
    cdf: bool,
    /// A band between the bounds of each time, L_L and U_L
    #[arg(long, conflicts_with_all = ["speedup", "efficiency", "heat", "density", "cdf"])]
    bounds: bool,
    /// Of laws, the quantiles that the band lies between
    #[arg(long, value_name = "P,P", value_delimiter = ',', num_args = 2, default_value = "0.1,0.9", value_parser = parse_probability)]
    band: Vec<f64>,
    /// How laws are carried: grid is nearly exact, gld and johnson go by four moments
    #[arg(long, value_enum, default_value_t = Laws::Grid)]
    laws: Laws,
    /// Measured points, in a CSV file
    #[arg(long, value_name = "FILE")]
    measured: Option<PathBuf>,
    /// The scale of the horizontal axis [default: by the data]
    #[arg(long, value_enum, value_name = "SCALE")]
    x_scale: Option<AxisScale>,
    /// The scale of the vertical axis [default: by the data]
    #[arg(long, value_enum, value_name = "SCALE")]
    y_scale: Option<AxisScale>,
    /// What the values are measured in
    #[arg(long)]
    unit: Option<String>,
    /// What stands above [default: the name of the model]
    #[arg(long)]
    title: Option<String>,
    /// Write to this file; .png makes a bitmap [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Draw in the terminal, with braille dots
    #[arg(long, conflicts_with_all = ["output", "emit"])]
    terminal: bool,
    /// The format [default: by the name of the file, else svg]
    #[arg(long, value_enum)]
    emit: Option<Format>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum AxisScale {
    Linear,
    Log,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Vector graphics
    Svg,
    /// A bitmap
    Png,
    /// A specification for notebooks and the web, with its data
    VegaLite,
}

pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let picture = picture(arguments)?;
    if arguments.terminal {
        let size = |name: &str, default: usize| {
            let set = std::env::var(name).ok().and_then(|text| text.parse().ok());
            set.filter(|n| (20..=400).contains(n)).unwrap_or(default)
        };
        let text = picture.terminal(size("COLUMNS", 100), size("LINES", 32));
        return output::line(text.trim_end()).map(|()| Outcome::Done);
    }
    let bytes = match format(arguments) {
        Format::Svg => picture.svg().into_bytes(),
        Format::Png => picture.png().map_err(plain_error)?,
        Format::VegaLite => output::json_text(&picture.vega_lite())?.into_bytes(),
    };
    match &arguments.output {
        Some(path) => output::bytes(path, &bytes)?,
        None => output::raw(&bytes)?,
    }
    Ok(Outcome::Done)
}

fn format(arguments: &Arguments) -> Format {
    let by_name = arguments.output.as_ref().and_then(|path| path.extension());
    let is = |name: &str| by_name.is_some_and(|own| own.eq_ignore_ascii_case(name));
    match arguments.emit {
        Some(format) => format,
        None if is("png") => Format::Png,
        None if is("json") => Format::VegaLite,
        None => Format::Svg,
    }
}

/// Only the times of processes, where there are some.
fn times(compiled: &Compiled, options: Options) -> Options {
    let is_time = |e: &&SimplifiedEquation| match e.origin {
        Origin::Time(_) => true,
        Origin::Lower(_) | Origin::Upper(_) => options.bounds,
        _ => false,
    };
    let times = compiled.equations().iter().filter(is_time);
    Options {
        only: times.map(|e| e.name.clone()).collect(),
        ..options
    }
}

fn picture(arguments: &Arguments) -> Result<Picture, Error> {
    let given = sweep_values::given(&arguments.define, arguments.params.as_deref(), false)?;
    let options = Options {
        only: arguments.only.clone(),
        bounds: arguments.bounds,
        without_moments: true,
        regimes: true,
        laws: arguments.laws.carrier(),
        ..Options::default()
    };
    let (compiled, given) =
        compiling::compile(&arguments.input, given, &options, &arguments.rules)?;
    let compiled = match arguments.only.is_empty() {
        true => compiled.restricted(&times(&compiled, options))?,
        false => compiled,
    };
    let title = arguments
        .title
        .clone()
        .unwrap_or_else(|| arguments.input.file.clone());
    if arguments.density || arguments.cdf {
        if let Some(axis) = given.axes.first() {
            return Err(plain_error(format!(
                "a law is drawn at one point, but `{}` has several values",
                axis.names[0]
            )));
        }
        let point = given.constants.into_iter();
        let point = point.fold(Point::default(), |point, (name, value)| {
            point.with(&name, value)
        });
        let shape = if arguments.cdf {
            Shape::Cdf
        } else {
            Shape::Density
        };
        return plot::law(&compiled, &point, arguments.laws.carrier(), shape, &title);
    }
    let mut measured = Vec::new();
    if let (Some(path), Some(axis)) = (&arguments.measured, given.axes.first()) {
        let names: Vec<&str> = compiled
            .equations()
            .iter()
            .map(|e| e.name.as_str())
            .collect();
        let text = read_file(path)?;
        measured.push(plot::measured(
            &path.display().to_string(),
            &text,
            &axis.names[0],
            &names,
        )?);
    }
    let scale = |scale: Option<AxisScale>| {
        scale.map(|scale| match scale {
            AxisScale::Linear => Scale::Linear,
            AxisScale::Log => Scale::Log,
        })
    };
    let request = Request {
        grid: Grid::new(given.axes, given.constants)?,
        title,
        relative: (arguments.speedup || arguments.efficiency).then_some(Relative {
            base: arguments.base,
            efficiency: arguments.efficiency,
        }),
        band: (arguments.band[0], arguments.band[1]),
        scales: [scale(arguments.x_scale), scale(arguments.y_scale)],
        unit: arguments.unit.clone(),
        measured,
    };
    match arguments.heat {
        true => plot::heat_map(&compiled, &request),
        false => plot::curves(&compiled, &request),
    }
}
