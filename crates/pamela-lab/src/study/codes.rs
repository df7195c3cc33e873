//! Data-parallel codes (van Gemund, section 4; thesis 6.4): their times and speedups, counted word by word on
//! processors with caches, beside closed forms of a machine model with strides.

mod dense;
mod machine;
mod selection;
mod sorts;
#[cfg(test)]
mod tests;

use dense::Code;

use super::random::Random;
use super::report::{Drawing, Report, Table, Unit};
use crate::diagnostic::Error;
use crate::eval::Value;
use crate::law::Carrier;
use crate::pipeline::{Model, Options};

const NOTES: [&str; 6] = [
    "counted: each word on a processor with a cache of 2 x 128 lines of 8 words; cycles: operation 1, word 1, line that is \
     not in the cache 10, message 500 + 2 for each word",
    "predicted: the closed form; a word costs 1 + 10 min(stride, 8) / 8, whatever is in the cache",
    "the paper's own times are of the DAS machine, which no longer exists; it states these errors of its predictions: matmul 5 % in \
     the mean and 7 % at most, adi 15 % and 77 %, gauss 13 % and 35 %, psrs 12 % and 26 %",
    "columns that are dealt out in turn keep their places in the whole matrix, so that the stride of a row is P",
    "psrs, original: each processor is told all indices, N P words; improved: its own ones, N words",
    "Figures 6.2 and 6.3: by straight selection; tm: the mean time to move an element; the thesis says 18 % at most for \
     tm = 0, and 15 % for tm = 10",
];

/// Problem sizes.
#[derive(Clone, Copy)]
pub struct Sizes {
    pub matmul: [usize; 3],
    pub adi: usize,
    pub gauss: usize,
    pub psrs: usize,
    pub selection: usize,
}

impl Sizes {
    /// The sizes in the papers.
    pub const PAPERS: Sizes = Sizes {
        matmul: [256, 512, 1024],
        adi: 1024,
        gauss: 512,
        psrs: 819_200,
        selection: 81_920,
    };

    /// All sizes divided by a power of 2 up to 16.
    pub fn divided(self, by: usize) -> Sizes {
        Sizes {
            matmul: self.matmul.map(|n| n / by),
            adi: self.adi / by,
            gauss: self.gauss / by,
            psrs: self.psrs / by,
            selection: self.selection / by,
        }
    }
}

const PROCESSORS: [usize; 7] = [1, 2, 4, 8, 16, 32, 64];

/// Figures 1 to 4 of van Gemund, and 6.2 and 6.3 of the thesis.
///
/// # Errors
/// Fails if a model cannot be evaluated, which does not happen for these.
pub fn codes(sizes: Sizes) -> Result<Report, Error> {
    let mut report = Report {
        title: "Data-parallel codes (van Gemund, Figures 1 to 4; thesis, Figures 6.2 and 6.3)"
            .to_string(),
        notes: NOTES.map(str::to_string).to_vec(),
        tables: Vec::new(),
        drawings: Vec::new(),
    };
    matmul(&mut report, sizes)?;
    let mappings = [
        (&dense::ADI_COLUMNS, "j axis"),
        (&dense::ADI_ROWS, "i axis"),
    ];
    speedups(
        &mut report,
        "2",
        &format!("adi, N = {}", sizes.adi),
        sizes.adi,
        &mappings,
    )?;
    let mappings = [
        (&dense::GAUSS_CYCLIC, "cyclic"),
        (&dense::GAUSS_BLOCK, "block"),
    ];
    speedups(
        &mut report,
        "3",
        &format!("gauss, N = {}", sizes.gauss),
        sizes.gauss,
        &mappings,
    )?;
    psrs(&mut report, sizes.psrs)?;
    by_selection(&mut report, sizes.selection)?;
    Ok(report)
}

fn matmul(report: &mut Report, sizes: Sizes) -> Result<(), Error> {
    let names = sizes.matmul.map(|n| format!("N = {n}"));
    let columns = names.each_ref().map(String::as_str);
    let mut table = Table::new("Figure 1: time of matmul in cycles", "P", &columns);
    let model = model_of(dense::MATMUL.process)?;
    for processors in PROCESSORS {
        let times = sizes
            .matmul
            .map(|n| (dense::MATMUL.counted)(n, processors, machine::MISS));
        let predicted = sizes.matmul.map(|n| predicted(&model, n, processors, &[]));
        let predicted: Vec<f64> = predicted.into_iter().collect::<Result<_, _>>()?;
        let pairs = times.into_iter().zip(predicted);
        add_rows(&mut table, processors, &pairs.collect::<Vec<_>>());
    }
    draw(report, "002-1", &table, "cycles", &[0, 1, 2]);
    add_summary(report, table);
    Ok(())
}

fn speedups(
    report: &mut Report,
    figure: &str,
    title: &str,
    size: usize,
    mappings: &[(&Code, &str); 2],
) -> Result<(), Error> {
    let names = mappings.map(|(_, name)| name);
    let mut table = Table::new(format!("Figure {figure}: speedup of {title}"), "P", &names);
    let models = [
        model_of(mappings[0].0.process)?,
        model_of(mappings[1].0.process)?,
    ];
    let mut bases = [(0.0, 0.0); 2];
    for processors in PROCESSORS {
        let mut pairs = Vec::new();
        for (((code, _), model), base) in mappings.iter().zip(&models).zip(&mut bases) {
            let counted = (code.counted)(size, processors, machine::MISS);
            let predicted = predicted(model, size, processors, &[])?;
            if processors == 1 {
                *base = (counted, predicted);
            }
            pairs.push((base.0 / counted, base.1 / predicted));
        }
        add_rows(&mut table, processors, &pairs);
    }
    draw(report, &format!("002-{figure}"), &table, "speedup", &[0, 1]);
    add_summary(report, table);
    Ok(())
}

fn psrs(report: &mut Report, size: usize) -> Result<(), Error> {
    let title = format!("Figure 4: speedup of psrs, N = {size}");
    let mut table = Table::new(title, "P", &["original", "improved"]);
    let models = [
        model_of(&sorts::process(true))?,
        model_of(&sorts::process(false))?,
    ];
    let known = [("c", sorts::profiled()), ("t_compare", sorts::COMPARISON)];
    let mut bases = [(0.0, 0.0); 2];
    for processors in PROCESSORS {
        let mut pairs = Vec::new();
        let counted = sorts::counted(size, processors);
        for ((counted, model), base) in counted.into_iter().zip(&models).zip(&mut bases) {
            let predicted = predicted(model, size, processors, &known)?;
            if processors == 1 {
                *base = (counted, predicted);
            }
            pairs.push((base.0 / counted, base.1 / predicted));
        }
        add_rows(&mut table, processors, &pairs);
    }
    draw(report, "002-4", &table, "speedup", &[0, 1]);
    add_summary(report, table);
    Ok(())
}

/// Speedups by straight selection, with what is moved for nothing and at a price.
fn by_selection(report: &mut Report, size: usize) -> Result<(), Error> {
    const PRICES: [f64; 2] = [0.0, 10.0];
    let title = format!("Figures 6.2 and 6.3: speedup of psrs by selection, N = {size}");
    let mut table = Table::new(title, "P", &["tm = 0", "tm = 10"]);
    let model = Model::parse(selection::MODEL)?;
    let mut random = Random::new(62);
    let mut bases = [(0.0, 0.0); 2];
    for processors in [1, 2, 4, 8, 16, 32, 64, 128] {
        let run = selection::counted(&mut random, size, processors);
        let profile = selection::counted(&mut random, size, processors).profile();
        let mut pairs = Vec::new();
        for (price, base) in PRICES.into_iter().zip(&mut bases) {
            let counted = run.time(price);
            let names = ["m1", "v1", "m2", "v2", "m3", "v3"];
            let mut known: Vec<(&str, f64)> = names.into_iter().zip(profile).collect();
            known.extend([
                ("move", price),
                ("N", size as f64),
                ("P", processors as f64),
            ]);
            let predicted = evaluated(&model, &known)?;
            if processors == 1 {
                *base = (counted, predicted);
            }
            pairs.push((base.0 / counted, base.1 / predicted));
        }
        add_rows(&mut table, processors, &pairs);
    }
    draw(report, "6.2", &table, "speedup", &[0, 1]);
    report.drawings.push(Drawing::of_table(
        "6.3",
        &table,
        "error [%]",
        &[("error", &[0, 1])],
    ));
    add_summary(report, table);
    Ok(())
}

/// Adds counted and predicted times, and the errors.
fn add_rows(table: &mut Table, processors: usize, pairs: &[(f64, f64)]) {
    let point = processors.to_string();
    let counted = pairs.iter().map(|(counted, _)| Some(*counted)).collect();
    let predicted = pairs
        .iter()
        .map(|(_, predicted)| Some(*predicted))
        .collect();
    let errors = pairs
        .iter()
        .map(|(counted, predicted)| Some(100.0 * (predicted / counted - 1.0)));
    table.add(&point, "counted", Unit::Value, counted);
    table.add(&point, "predicted", Unit::Value, predicted);
    table.add(&point, "error", Unit::ErrorInPercent, errors.collect());
}

fn draw(report: &mut Report, name: &str, table: &Table, vertical: &str, columns: &[usize]) {
    let curves = [("predicted", columns)];
    let mut drawing = Drawing::of_table(name, table, vertical, &curves);
    let mut counted = Drawing::of_table(name, table, vertical, &[("counted", columns)]);
    for series in &mut counted.series {
        series.is_joined = false;
    }
    drawing.series.append(&mut counted.series);
    report.drawings.push(drawing);
}

/// The mean and the largest of the errors, below them.
fn add_summary(report: &mut Report, mut table: Table) {
    let columns = table.columns.len();
    let errors = |column: usize| {
        let rows = table.rows.iter().filter(|row| row.method == "error");
        let sizes = rows.filter_map(move |row| row.values[column].map(f64::abs));
        sizes.collect::<Vec<f64>>()
    };
    let mean = |errors: Vec<f64>| Some(errors.iter().sum::<f64>() / errors.len() as f64);
    let means = (0..columns).map(|column| mean(errors(column))).collect();
    let most = (0..columns)
        .map(|column| errors(column).into_iter().reduce(f64::max))
        .collect();
    table.add("all P", "mean error", Unit::ErrorInPercent, means);
    table.add("all P", "worst", Unit::ErrorInPercent, most);
    report.tables.push(table);
}

fn model_of(process: &str) -> Result<Model, Error> {
    Model::parse(&format!("{}{process}", machine::MODEL))
}

fn predicted(
    model: &Model,
    size: usize,
    processors: usize,
    more: &[(&str, f64)],
) -> Result<f64, Error> {
    let mut known = vec![
        ("N", size as f64),
        ("P", processors as f64),
        ("B", size.div_ceil(processors) as f64),
        ("t_flop", machine::FLOP),
        ("t_load", machine::LOAD),
        ("t_miss", machine::MISS),
        ("t_startup", machine::STARTUP),
        ("t_word", machine::WORD),
        ("L", machine::LINE as f64),
    ];
    // Later values replace earlier ones.
    known.retain(|(name, _)| more.iter().all(|(other, _)| other != name));
    known.extend(more);
    evaluated(model, &known)
}

/// The time of the main process, or its mean.
fn evaluated(model: &Model, known: &[(&str, f64)]) -> Result<f64, Error> {
    let values: Vec<(String, String)> = known
        .iter()
        .map(|(name, value)| ((*name).to_string(), value.to_string()))
        .collect();
    let options = Options {
        laws: Carrier::Gld,
        ..Options::default()
    };
    let evaluated = model.evaluate(&values, crate::rules::standard()?, &options)?;
    let mut equations = evaluated.equations.iter();
    let time = equations.find(|equation| equation.name == "T_main");
    let time = time.ok_or_else(|| Error::new("the model has no time"))?;
    match &time.law {
        Some(law) => Ok(law.cumulants.mean),
        None => match &time.value {
            Value::Scalar(number) => Ok(number.to_f64()),
            _ => Err(Error::new("the time of the model is not a number")),
        },
    }
}
