//! The experience base: profiles of one program in a directory, and interpolation between their points.
//!
//! A count is the mean over the measured points, weighted by `exp(-(d / k)^2)`. The distance d to the requested point
//! counts each parameter by its range; the width k is the one with which the points predict each other best.

use std::collections::BTreeMap;
use std::path::Path;

use super::record::Profile;
use crate::lowering::{Known, KnownValue};
use crate::problem::{Problem, short, six_digits};

/// Widths that are tried: from narrower than any two points lie apart to wider than all.
const WIDTHS: usize = 24;
const NARROWEST: f64 = 0.01;
const WIDER: f64 = 1.35;

/// A profile from a file, or the merged profiles of a directory.
///
/// # Errors
/// Fails for a file that cannot be read, is not a profile, or belongs to another program than the others.
pub fn read(path: &Path) -> Result<Profile, Problem> {
    let cannot =
        |error: std::io::Error| Problem::new(format!("cannot read `{}`: {error}", path.display()));
    if !path.is_dir() {
        return one(path);
    }
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path).map_err(cannot)? {
        let file = entry.map_err(cannot)?.path();
        if file
            .extension()
            .is_some_and(|extension| extension == "json")
        {
            files.push(file);
        }
    }
    // The order of a directory is not that of the profiles.
    files.sort();
    let mut base: Option<Profile> = None;
    for file in &files {
        let profile = one(file)?;
        match &mut base {
            None => base = Some(profile),
            Some(base) => base.join(profile).ok_or_else(|| {
                Problem::new(format!(
                    "`{}` and `{}` are profiles of different programs, compilers or machines",
                    files[0].display(),
                    file.display()
                ))
                .hint("each needs its own directory")
            })?,
        }
    }
    base.ok_or_else(|| Problem::new(format!("`{}` has no profile *.json", path.display())))
}

fn one(file: &Path) -> Result<Profile, Problem> {
    let name = file.to_string_lossy();
    let text = std::fs::read_to_string(file)
        .map_err(|error| Problem::new(format!("cannot read `{name}`: {error}")))?;
    Profile::read(&name, &text)
}

impl Profile {
    /// Takes in the runs of another profile; none where that is of another program.
    fn join(&mut self, other: Profile) -> Option<()> {
        let (own, others) = (&self.program, &other.program);
        let is_same = own.fingerprint == others.fingerprint
            && own.cc == others.cc
            && own.run == others.run
            && own.entry == others.entry
            && self.machine == other.machine
            && self.sites == other.sites;
        if !is_same {
            return None;
        }
        for measured in other.points {
            let known = self.points.iter_mut().find(|p| p.point == measured.point);
            match known {
                Some(known) => {
                    known.time_ns.extend(measured.time_ns);
                    known.runs.extend(measured.runs);
                }
                None => self.points.push(measured),
            }
        }
        Some(())
    }
}

/// A point at which a profile is evaluated.
pub type At = BTreeMap<String, f64>;

/// The facts about sites at a point. `relevant` names the parameters that a site depends on, if the program states
/// them.
///
/// # Errors
/// Fails for a parameter that the points of the profile lack, or for a missing one.
pub fn near(
    profile: &Profile,
    at: &At,
    relevant: &BTreeMap<String, Vec<String>>,
) -> Result<BTreeMap<String, Known>, Problem> {
    let names: Vec<&String> = profile.points.iter().flat_map(|p| p.point.keys()).collect();
    if let Some(name) = at.keys().find(|name| !names.contains(name)) {
        return Err(Problem::new(format!(
            "`{name}` is no parameter of the points of the profile"
        )));
    }
    let mut all = BTreeMap::new();
    for site in profile.sites.keys() {
        let counted = profile.points.iter().filter_map(|measured| {
            let site = measured.site(site).filter(|site| site.calls > 0)?;
            Some((&measured.point, site.mean()))
        });
        let counted: Vec<(&At, f64)> = counted.collect();
        if counted.is_empty() {
            continue;
        }
        // Values, and the cases of a `switch`, depend on the parameters of their statement.
        let around = || relevant.get(site.rsplit_once('/')?.0);
        let stated = relevant.get(site).or_else(around);
        let is_used = |name: &&&String| stated.is_none_or(|stated| stated.contains(name));
        let mut used: Vec<&String> = counted[0].0.keys().collect();
        if used.iter().any(|name| is_used(&name)) {
            used.retain(|name| is_used(&name));
        }
        let space = Space::new(&counted, &used);
        all.insert(site.clone(), space.known(at)?);
    }
    Ok(all)
}

/// Points by their parameters, each as a share of its range.
struct Space<'a> {
    names: &'a [&'a String],
    least: Vec<f64>,
    range: Vec<f64>,
    points: Vec<(Vec<f64>, f64)>,
}

impl<'a> Space<'a> {
    fn new(counted: &[(&At, f64)], names: &'a [&'a String]) -> Space<'a> {
        let column = |name: &String| {
            let values = counted
                .iter()
                .filter_map(|(point, _)| point.get(name).copied());
            values.collect::<Vec<f64>>()
        };
        let columns: Vec<Vec<f64>> = names.iter().map(|name| column(name)).collect();
        let fold = |start: f64, pick: fn(f64, f64) -> f64| -> Vec<f64> {
            columns
                .iter()
                .map(|c| c.iter().copied().fold(start, pick))
                .collect()
        };
        let (least, most) = (
            fold(f64::INFINITY, f64::min),
            fold(f64::NEG_INFINITY, f64::max),
        );
        let range = least.iter().zip(&most).map(|(least, most)| most - least);
        let mut space = Space {
            names,
            range: range.collect(),
            least,
            points: Vec::new(),
        };
        let scaled = counted
            .iter()
            .map(|(point, value)| (space.scaled(point), *value));
        let points = scaled.collect();
        space.points = points;
        space
    }

    /// A parameter with one value at all points keeps its unit.
    fn scaled(&self, point: &At) -> Vec<f64> {
        let places = self.names.iter().zip(self.least.iter().zip(&self.range));
        let place = |(name, (least, range)): (&&String, (&f64, &f64))| {
            let unit = if *range > 0.0 { *range } else { 1.0 };
            (point.get(*name).copied().unwrap_or(*least) - least) / unit
        };
        places.map(place).collect()
    }

    fn known(&self, at: &At) -> Result<Known, Problem> {
        if let Some(name) = self.names.iter().find(|name| !at.contains_key(**name)) {
            return Err(
                Problem::new(format!("no value of `{name}`, on which the counts depend"))
                    .hint(format!("set it with --at {name}=100")),
            );
        }
        let at = self.scaled(at);
        let all: Vec<usize> = (0..self.points.len()).collect();
        let nearest = self.points.iter().map(|(point, _)| distance(point, &at));
        let nearest = nearest.fold(f64::INFINITY, f64::min).sqrt();
        let value = self.mean(&at, &all, self.width());
        let is_outside = at.iter().any(|place| !(0.0..=1.0).contains(place));
        let outside = if is_outside {
            ", outside the measured range"
        } else {
            ""
        };
        Ok(Known {
            note: format!(
                "from {} points, the nearest at {} of the range{outside}",
                self.points.len(),
                short(nearest)
            ),
            value: KnownValue::constant(six_digits(value)),
        })
    }

    /// The width by which the points predict each other best; the widest where none does better.
    fn width(&self) -> f64 {
        let widths = (0..WIDTHS).rev().map(|k| NARROWEST * WIDER.powi(k as i32));
        let mut best = (f64::INFINITY, NARROWEST);
        for width in widths {
            let error: f64 = (0..self.points.len())
                .map(|place| {
                    let others: Vec<usize> = (0..self.points.len())
                        .filter(|other| *other != place)
                        .collect();
                    let (point, value) = &self.points[place];
                    if others.is_empty() {
                        0.0
                    } else {
                        (self.mean(point, &others, width) - value).powi(2)
                    }
                })
                .sum();
            if error < best.0 * (1.0 - 1e-9) {
                best = (error, width);
            }
        }
        best.1
    }

    /// The weighted mean over some of the points; only over points equal to this one, if there are any.
    fn mean(&self, at: &[f64], places: &[usize], width: f64) -> f64 {
        let distances: Vec<f64> = places
            .iter()
            .map(|p| distance(&self.points[*p].0, at))
            .collect();
        let least = distances.iter().copied().fold(f64::INFINITY, f64::min);
        let (mut sum, mut weights) = (0.0, 0.0);
        for (place, distance) in places.iter().zip(distances) {
            // Distances are relative to the nearest point, so weights do not underflow far away.
            let weight = if least == 0.0 {
                f64::from(u8::from(distance == 0.0))
            } else {
                ((least - distance) / (width * width)).exp()
            };
            sum += weight * self.points[*place].1;
            weights += weight;
        }
        sum / weights
    }
}

/// Squared.
fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::record::{Machine, Measured, Program, Run, Site};

    /// A loop that runs `f(n, m)` times.
    fn base(points: &[(f64, f64)], f: impl Fn(f64, f64) -> u128) -> Profile {
        let measured = points.iter().map(|(n, m)| {
            let site = Site {
                calls: 1,
                trips: vec![f(*n, *m); 4],
                ..Site::default()
            };
            Measured {
                point: [("n".to_string(), *n), ("m".to_string(), *m)].into(),
                time_ns: vec![1.0],
                runs: vec![Run {
                    seed: 1,
                    rank: 0,
                    sites: [("main/for1".to_string(), site)].into(),
                }],
            }
        });
        Profile {
            format: crate::profile::FORMAT.to_string(),
            program: Program {
                files: Vec::new(),
                fingerprint: "1".to_string(),
                cc: "cc".to_string(),
                arguments: Vec::new(),
                run: Vec::new(),
                entry: "main".to_string(),
            },
            machine: Machine {
                cpu: "a".to_string(),
                cores: 1,
            },
            sites: [("main/for1".to_string(), "K_main_for1".to_string())].into(),
            sampled: None,
            points: measured.collect(),
        }
    }

    fn asked(profile: &Profile, n: f64, m: f64, relevant: &[&str]) -> (f64, String) {
        let at = [("n".to_string(), n), ("m".to_string(), m)].into();
        let relevant = match relevant {
            [] => BTreeMap::new(),
            list => [(
                "main/for1".to_string(),
                list.iter().map(ToString::to_string).collect(),
            )]
            .into(),
        };
        let known = near(profile, &at, &relevant).expect("it has a value")["main/for1"].clone();
        match known.value {
            KnownValue::Same { mean, .. } => (mean, known.note),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_was_run_has_its_own_count() {
        let points = [(10.0, 1.0), (20.0, 1.0), (20.0, 9.0)];
        let profile = base(&points, |n, m| (n * m) as u128);
        for (n, m) in points {
            assert_eq!(asked(&profile, n, m, &[]).0, n * m);
        }
    }

    #[test]
    fn the_weighted_mean_is_that_of_the_paper() {
        // Two points: the distances are 0.25 and 0.75, and either predicts the other as well at all widths.
        let profile = base(&[(0.0, 1.0), (4.0, 1.0)], |n, _| 100 + n as u128);
        let width = NARROWEST * WIDER.powi(WIDTHS as i32 - 1);
        let weight = |d: f64| (-(d / width).powi(2)).exp();
        let wanted = (100.0 * weight(0.25) + 104.0 * weight(0.75)) / (weight(0.25) + weight(0.75));
        let (found, note) = asked(&profile, 1.0, 1.0, &[]);
        assert!((found / wanted - 1.0).abs() < 1e-5, "{found} for {wanted}");
        assert!(note.contains("2 points, the nearest at 0.25"), "{note}");
    }

    #[test]
    fn smooth_counts_are_near_between_the_points_and_outside_is_said() {
        let points: Vec<(f64, f64)> = (1..=16).map(|n| (f64::from(n) * 10.0, 1.0)).collect();
        let profile = base(&points, |n, _| (n * n) as u128);
        let (found, _) = asked(&profile, 85.0, 1.0, &[]);
        assert!((found / 85.0_f64.powi(2) - 1.0).abs() < 0.03, "{found}");
        assert!(asked(&profile, 400.0, 1.0, &[]).1.contains("outside"));
    }

    #[test]
    fn parameters_that_do_not_matter_are_left_out_where_the_program_says_so() {
        let points: Vec<(f64, f64)> = (0..36)
            .map(|k| (f64::from(k % 6) * 10.0, f64::from(k / 6)))
            .filter(|(n, m)| (n + m) % 2.0 == 0.0 || *m == 3.0)
            .collect();
        let profile = base(&points, |n, _| 1000 + n as u128);
        assert_eq!(asked(&profile, 20.0, 2.5, &["n"]).0, 1020.0);
        assert_eq!(asked(&profile, 20.0, 77.0, &["n"]).0, 1020.0);
    }

    #[test]
    fn profiles_of_one_program_are_one() {
        let mut profile = base(&[(1.0, 1.0)], |_, _| 5);
        assert!(
            profile
                .join(base(&[(1.0, 1.0), (2.0, 1.0)], |_, _| 7))
                .is_some()
        );
        assert_eq!(profile.points.len(), 2);
        assert_eq!(profile.points[0].runs.len(), 2);
        assert_eq!(asked(&profile, 1.0, 1.0, &[]).0, 6.0);
        let mut other = base(&[(1.0, 1.0)], |_, _| 5);
        other.program.fingerprint = "2".to_string();
        assert!(profile.join(other).is_none());
        let lacking = near(&profile, &At::new(), &BTreeMap::new()).expect_err("no point");
        assert!(lacking.to_string().contains("no value of `"), "{lacking}");
        let unknown = near(&profile, &[("q".to_string(), 1.0)].into(), &BTreeMap::new());
        assert!(
            unknown
                .expect_err("no such parameter")
                .to_string()
                .contains("`q`")
        );
    }
}
