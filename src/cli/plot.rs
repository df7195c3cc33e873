//! `pamela plot`

mod laws;
mod measured;
pub mod title;

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use pamela_plot::{Arrangement, Ink, Picture, Scale};

use super::shared::{
    Input, Laws, RuleOptions, Values, parse_band, parse_definition, parse_finite, parse_probability,
};
use super::{
    Names, Outcome, Subject, compiling, notes, output, progress, read_model, read_subject,
    sweep_values, uncertain, values,
};
use crate::compiled::Compiled;
use crate::diagnostic::Error;
use crate::estimate::process_of;
use crate::pipeline::{Options, SimplifiedEquation};
use crate::plot::{self, Drawn, Relative, Request};
use crate::ring::Rational;
use crate::sweep::Grid;
use crate::timing::Origin;

pub const EXAMPLES: &str = "\
Examples:
  pamela plot corpus/papers/mrm.pam -D P=1:64 -D N=100 -D tl=10 -D ts=0.5 -o time.svg
  pamela plot corpus/papers/mrm_stochastic.pam -D P=8 -D N=100 --density -o density.svg
  pamela plot corpus/graphs/cholesky.pam -D k=4 -D tp=1 -D tt=1 -D ts=1 -D tg=2 --gantt -o gantt.svg";

pub const NOTES: &str = "\
The first parameter with several values is the horizontal axis; the second gives a curve for each value. Measured \
points are in a CSV file: a column for the horizontal parameter, `time` as for `pamela calibrate`, or the name of the \
equation or `value` in the unit of the axis, optionally `error`. Other columns select curves. Measured samples are one column.";

/// The heading of options for probability distributions at one point.
const DISTRIBUTIONS: &str = "Distributions";
/// The heading of options for the tasks of graphs.
const TASKS: &str = "Tasks";
/// The heading of options for the look of a picture.
const LAYOUT: &str = "Layout";

#[derive(Debug, Args)]
pub struct Arguments {
    /// Set a parameter: 16, 1:64, 1,2,4, log(1, 1e9, 10) (repeatable)
    #[arg(short = 'D', value_name = "NAME=VALUES", value_parser = parse_definition)]
    define: Vec<(String, String)>,
    /// Read values from a TOML or JSON file
    #[arg(long, value_name = "FILE")]
    params: Option<PathBuf>,
    /// Draw only these equations [default: times of processes, if any]
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    only: Vec<String>,
    /// Write to FILE.svg, .pdf, .png, or .json (Vega-Lite)
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Draw the speedup: the value at the base divided by the value
    #[arg(long)]
    speedup: bool,
    /// Draw the efficiency: the speedup per processor
    #[arg(long, conflicts_with = "speedup")]
    efficiency: bool,
    /// Value of the horizontal parameter at the base of speedups
    #[arg(long, value_name = "VALUE", default_value_t = 1.0, value_parser = parse_finite, allow_negative_numbers = true)]
    base: f64,
    /// Draw a heat map over two parameters
    #[arg(long, conflicts_with_all = ["speedup", "efficiency", "measured"])]
    heat: bool,
    /// Draw a band between the bounds L_L and U_L of each time
    #[arg(long, conflicts_with_all = ["speedup", "efficiency", "heat", "density", "cdf", "tail"])]
    bounds: bool,
    /// Draw the time of a process stacked by the labels of its parts
    #[arg(long, conflicts_with_all = [
        "speedup", "efficiency", "heat", "density", "cdf", "tail", "tasks", "gantt", "bounds", "measured", "only"
    ])]
    by_label: bool,
    /// Add measured points from a CSV file; with --density and --cdf, samples
    #[arg(long, value_name = "FILE")]
    measured: Option<PathBuf>,
    /// Draw the densities of distributions at one point
    #[arg(long, conflicts_with_all = ["speedup", "efficiency", "heat"], help_heading = DISTRIBUTIONS)]
    density: bool,
    /// Draw the cumulative distribution functions at one point
    #[arg(long, conflicts_with_all = ["speedup", "efficiency", "heat", "density"], help_heading = DISTRIBUTIONS)]
    cdf: bool,
    /// Draw the probabilities of greater values on a logarithmic axis, down to 1e-6
    #[arg(long, conflicts_with_all = ["speedup", "efficiency", "heat", "density"], help_heading = DISTRIBUTIONS)]
    tail: bool,
    /// Quantiles between which the band of a random value lies
    #[arg(
        long, value_name = "P,P", default_value = "0.1,0.9", value_parser = parse_band, help_heading = DISTRIBUTIONS
    )]
    band: (f64, f64),
    /// Probability of the bands of results that rest on unknown numbers
    #[arg(long, value_name = "P", default_value = "0.9", value_parser = parse_probability, help_heading = DISTRIBUTIONS)]
    interval: f64,
    /// Distributions: grid (nearly exact), gld or johnson
    #[arg(
        long, value_enum, value_name = "METHOD", default_value_t = Laws::Grid, hide_possible_values = true,
        help_heading = DISTRIBUTIONS
    )]
    laws: Laws,
    /// Draw the task graph of a process in layers, with its critical path
    #[arg(
        long, conflicts_with_all = ["speedup", "efficiency", "heat", "density", "cdf", "tail", "bounds", "measured"],
        help_heading = TASKS
    )]
    tasks: bool,
    /// Draw the tasks of a process as bars over time
    #[arg(
        long, conflicts_with_all = ["speedup", "efficiency", "heat", "density", "cdf", "tail", "bounds", "measured", "tasks"],
        help_heading = TASKS
    )]
    gantt: bool,
    /// Process, for --by-label as well [default: main, else the last]
    #[arg(long, value_name = "NAME", help_heading = TASKS)]
    process: Option<String>,
    /// Horizontal axis: linear or log [default: by the data]
    #[arg(long, value_enum, value_name = "SCALE", hide_possible_values = true, help_heading = LAYOUT)]
    x_scale: Option<AxisScale>,
    /// Vertical axis: linear or log [default: by the data]
    #[arg(long, value_enum, value_name = "SCALE", hide_possible_values = true, help_heading = LAYOUT)]
    y_scale: Option<AxisScale>,
    /// Unit of the values, for the axis
    #[arg(long, help_heading = LAYOUT)]
    unit: Option<String>,
    /// Title [default: the first comment of the model and the fixed values]
    #[arg(long, help_heading = LAYOUT)]
    title: Option<String>,
    /// Draw with text characters; NO_COLOR and TERM=dumb are respected
    #[arg(long, conflicts_with_all = ["output", "emit"], help_heading = LAYOUT)]
    terminal: bool,
    /// Format: svg, pdf, png, vega-lite [default: by the file name]
    #[arg(long, value_enum, value_name = "FORMAT", hide_possible_values = true, help_heading = LAYOUT)]
    emit: Option<Format>,
    #[command(flatten)]
    pub input: Input,
    #[command(flatten)]
    rules: RuleOptions,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum AxisScale {
    Linear,
    Log,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Vector graphics for the web.
    Svg,
    /// Vector graphics for papers, as wide as a column.
    Pdf,
    /// A bitmap.
    Png,
    /// A Vega-Lite specification with its data, for notebooks and the web.
    VegaLite,
}

pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let on_terminal = std::io::stdout().is_terminal();
    let format = match (arguments.emit, &arguments.output) {
        (Some(format), _) => Some(format),
        (None, Some(path)) => Some(format_of(path)?),
        (None, None) if arguments.terminal || on_terminal => None,
        (None, None) => Some(Format::Svg),
    };
    let is_binary = matches!(format, Some(Format::Png | Format::Pdf));
    if is_binary && on_terminal && arguments.output.is_none() {
        return Err(Error::new(
            "a terminal cannot show this format; write to a file with `-o`".to_string(),
        ));
    }
    let Drawn { picture, gaps } = picture(arguments)?;
    for gap in &gaps {
        output::note(&format!("note: {gap}"));
    }
    let outcome = if gaps.is_empty() {
        Outcome::Done
    } else {
        Outcome::Incomplete
    };
    let Some(format) = format else {
        let (columns, rows) = terminal_size();
        let text = picture.terminal(columns, rows, ink(on_terminal));
        output::line(text.trim_end())?;
        if !arguments.terminal {
            output::note("note: use `-o picture.svg` (.pdf, .png) to write a file");
        }
        return Ok(outcome);
    };
    write(&picture, format, arguments.output.as_deref())?;
    Ok(outcome)
}

/// Columns and rows of the terminal.
fn terminal_size() -> (usize, usize) {
    let own = terminal_size::terminal_size();
    let own = own.map(|(width, height)| (usize::from(width.0), usize::from(height.0)));
    let size = |name: &str, own: Option<usize>, default: usize| {
        let set = std::env::var(name).ok().and_then(|text| text.parse().ok());
        let size = set.or(own).filter(|n| *n > 0).unwrap_or(default);
        size.clamp(20, 400)
    };
    (
        size("COLUMNS", own.map(|own| own.0), 100),
        size("LINES", own.map(|own| own.1.saturating_sub(2)), 32),
    )
}

/// Capabilities of the terminal, from its environment.
fn ink(on_terminal: bool) -> Ink {
    let says = |name: &str| std::env::var_os(name).unwrap_or_default();
    if says("TERM") == "dumb" {
        Ink::Ascii
    } else if on_terminal && says("NO_COLOR").is_empty() {
        Ink::Colours
    } else {
        Ink::Plain
    }
}

/// The format that the name of a file tells.
///
/// # Errors
/// Fails if the file name has no known ending.
pub fn format_of(path: &Path) -> Result<Format, Error> {
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    match ending.to_lowercase().as_str() {
        "svg" => Ok(Format::Svg),
        "pdf" => Ok(Format::Pdf),
        "png" => Ok(Format::Png),
        "json" => Ok(Format::VegaLite),
        _ => Err(Error::new(format!(
            "cannot write `{}`: use .svg, .pdf, .png, or .json for \
             Vega-Lite",
            path.display()
        ))),
    }
}

/// Writes a picture to a file, or to standard output.
pub fn write(picture: &Picture, format: Format, path: Option<&Path>) -> Result<(), Error> {
    let bytes = match format {
        Format::Svg => picture.svg().into_bytes(),
        Format::Pdf => picture.pdf(),
        Format::Png => picture.png().map_err(Error::new)?,
        Format::VegaLite => output::json_text(&picture.vega_lite())?.into_bytes(),
    };
    match path {
        Some(path) => output::bytes(path, &bytes),
        None => output::raw(&bytes),
    }
}

/// The equations that are drawn, with their bounds: those that are named, or else the times of processes.
///
/// A process has its exact time, or the papers' estimate if no theorem gives it.
fn chosen(compiled: &Compiled, arguments: &Arguments, options: Options) -> Result<Options, Error> {
    if !arguments.only.is_empty() {
        // Names that there are not are told.
        let only = Options {
            only: arguments.only.clone(),
            ..options.clone()
        };
        compiled.restricted(&only)?;
    }
    let is_exact = |process: &String| {
        let origin = Origin::Execution(process.clone());
        compiled.equations().iter().any(|e| e.origin == origin)
    };
    let named = |e: &&SimplifiedEquation| {
        if arguments.only.is_empty() {
            match &e.origin {
                Origin::Execution(_) => true,
                Origin::Time(process) => !is_exact(process),
                _ => false,
            }
        } else {
            arguments.only.contains(&e.name)
        }
    };
    let times = compiled.equations().iter().filter(named);
    let mut only: Vec<String> = times.clone().map(|e| e.name.clone()).collect();
    if options.bounds && !only.is_empty() {
        let mut any = false;
        for time in times {
            let Origin::Time(process) = &time.origin else {
                continue;
            };
            let bounds = [
                Origin::Lower(process.clone()),
                Origin::Upper(process.clone()),
            ];
            let own = compiled
                .equations()
                .iter()
                .filter(|e| bounds.contains(&e.origin));
            if !arguments.bounds && is_exact(process) {
                continue;
            }
            let own: Vec<String> = own.map(|e| e.name.clone()).collect();
            any |= own.len() == 2;
            only.extend(own);
        }
        if !any && arguments.bounds {
            output::note(
                "note: no band: none of the drawn values is a process time with two bounds",
            );
        }
    }
    let mut seen = std::collections::HashSet::new();
    only.retain(|name| seen.insert(name.clone()));
    Ok(Options { only, ..options })
}

/// The tasks of a process, at one point.
fn tasks(arguments: &Arguments, arrangement: Arrangement) -> Result<Picture, Error> {
    let mut model = read_model(&arguments.input)?;
    let given = Values {
        define: arguments.define.clone(),
        params: arguments.params.clone(),
    };
    let given = values::given(&given, &Names::of(&model))?;
    for (name, value) in &given {
        model.define(name, value)?;
    }
    let process = process_of(&model, arguments.process.as_deref())?;
    let fixed: Vec<String> = given
        .iter()
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    let (asked, file) = (arguments.title.as_ref(), &arguments.input.file);
    let title = title::title(asked, file, Some(&model), &fixed);
    plot::tasks(model.checked(), &process, arrangement, &title)
}

/// The picture that the arguments ask for.
pub fn picture(arguments: &Arguments) -> Result<Drawn, Error> {
    if arguments.tasks || arguments.gantt {
        let arrangement = if arguments.gantt {
            Arrangement::Time
        } else {
            Arrangement::Layers
        };
        return tasks(arguments, arrangement).map(Drawn::whole);
    }
    if arguments.by_label {
        return parts(arguments).map(Drawn::whole);
    }
    let mut subject = read_subject(&arguments.input)?;
    subject.reach(&arguments.only);
    let mut given = sweep_values::given(
        &subject,
        &arguments.define,
        arguments.params.as_deref(),
        false,
    )?;
    // A line for each row, over what has places on an axis.
    given.axes.sort_by_key(|axis| !axis.rows.is_empty());
    let by_name = !arguments.only.is_empty();
    let several = given.axes.iter().filter(|axis| axis.len() > 1).count();
    let is_relative = arguments.speedup || arguments.efficiency;
    let is_plain = !is_relative && !arguments.heat && arguments.measured.is_none();
    let is_enclosed = several < 2 && is_plain && !by_name;
    let options = Options {
        // Bounds are asked for by the names of times.
        only: if arguments.bounds {
            Vec::new()
        } else {
            arguments.only.clone()
        },
        all: arguments.bounds && by_name,
        bounds: arguments.bounds,
        exact_times: true,
        times: is_enclosed,
        without_moments: true,
        regimes: true,
        laws: arguments.laws.carrier(),
        ..Options::default()
    };
    let (compiled, mut given) = compiling::compile(subject, given, &options, &arguments.rules)?;
    let unknown = uncertain::factors_of(&compiled, &given.constants, &given.factors)?;
    uncertain::at_centres(&unknown, &mut given.constants, false);
    let drawn = Options {
        bounds: arguments.bounds || is_enclosed,
        ..options
    };
    let compiled = if by_name && !arguments.bounds {
        compiled
    } else {
        compiled.restricted(&chosen(&compiled, arguments, drawn)?)?
    };
    notes::of_bounds(&compiled);
    if arguments.density || arguments.cdf || arguments.tail {
        let title = title_of(arguments, &compiled, &given.constants);
        return laws::law(arguments, &compiled, given, &title).map(Drawn::whole);
    }
    let grid = Grid::new(given.axes, given.constants)?;
    let measured = match &arguments.measured {
        Some(path) => measured::runs(path, &grid, &compiled, arguments.unit.as_deref())?,
        None => Vec::new(),
    };
    let request = Request {
        measured,
        unknown,
        runs: is_enclosed,
        ..request(arguments, &compiled, grid)
    };
    progress::spinning("computing values", || {
        if arguments.heat {
            plot::heat_map(&compiled, &request)
        } else {
            plot::curves(&compiled, &request)
        }
    })
}

/// The parts by label of the time of a process.
fn parts(arguments: &Arguments) -> Result<Picture, Error> {
    let subject = read_subject(&arguments.input)?;
    let process = match &subject {
        Subject::Model(model) => process_of(model, arguments.process.as_deref())?,
        Subject::Compiled(compiled) => process_of(compiled.model()?, arguments.process.as_deref())?,
    };
    let subject = subject.with_labels()?;
    let params = arguments.params.as_deref();
    let given = sweep_values::given(&subject, &arguments.define, params, false)?;
    let options = Options {
        only: vec![format!("T_{process}")],
        without_moments: true,
        laws: arguments.laws.carrier(),
        ..Options::default()
    };
    let (compiled, given) = compiling::compile(subject, given, &options, &arguments.rules)?;
    let grid = Grid::new(given.axes, given.constants)?;
    plot::stacked(&compiled, &request(arguments, &compiled, grid), &process)
}

fn title_of(
    arguments: &Arguments,
    compiled: &Compiled,
    constants: &[(String, Rational)],
) -> String {
    let fixed = title::fixed(constants, compiled);
    let (asked, file) = (arguments.title.as_ref(), &arguments.input.file);
    title::title(asked, file, compiled.model().ok(), &fixed)
}

/// The request for a plot over a grid, without measured points and runs.
fn request(arguments: &Arguments, compiled: &Compiled, grid: Grid) -> Request {
    let scale = |scale: Option<AxisScale>| {
        scale.map(|scale| match scale {
            AxisScale::Linear => Scale::Linear,
            AxisScale::Log => Scale::Log,
        })
    };
    let is_relative = arguments.speedup || arguments.efficiency;
    Request {
        title: title_of(arguments, compiled, &grid.constants),
        grid,
        relative: is_relative.then_some(Relative {
            base: arguments.base,
            efficiency: arguments.efficiency,
        }),
        band: arguments.band,
        scales: [scale(arguments.x_scale), scale(arguments.y_scale)],
        unit: arguments.unit.clone(),
        measured: Vec::new(),
        unknown: Vec::new(),
        interval: arguments.interval,
        runs: false,
    }
}
