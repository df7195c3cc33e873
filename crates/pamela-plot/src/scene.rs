//! Curves of one figure as they are drawn, whether on a sheet or in a terminal: scales, extents, entries of the legend.

use crate::ticks::Extent;
use crate::{Figure, Region, Scale};

/// Symbol of an entry in a legend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    Curve(usize),
    Ideal,
    /// With the place of its curve, and its own among the bands.
    Band(usize, usize),
    Measured(usize),
    Mark,
    Region(usize),
    /// Words alone.
    None,
}

/// A figure with all that follows from its data.
pub(crate) struct Scene<'a> {
    pub figure: &'a Figure,
    pub x: Extent,
    pub y: Extent,
    /// Visible parts of the regions.
    pub regions: Vec<(usize, f64, f64)>,
}

/// More crossings are not told one by one.
const MOST_MARKS: usize = 6;

impl Scene<'_> {
    pub fn of(figure: &Figure) -> Scene<'_> {
        let (x_scale, y_scale) = (figure.x_scale(), figure.y_scale());
        let shown = |x: f64, y: f64| Extent::shows(x_scale, x) && Extent::shows(y_scale, y);
        let (mut places, mut values) = (Vec::new(), Vec::new());
        for &(x, y) in figure.curves.iter().flat_map(|c| &c.points) {
            places.push(x);
            values.extend(shown(x, y).then_some(y));
        }
        for &(x, low, high) in figure.bands.iter().flat_map(|b| &b.points) {
            values.extend([low, high].into_iter().filter(|y| shown(x, *y)));
        }
        let measured = figure.measured.iter().flat_map(|m| &m.points);
        for &(x, y, error) in measured {
            places.push(x);
            let error = error.unwrap_or(0.0);
            let ends = [y, y - error, y + error].into_iter();
            values.extend(ends.filter(|y| shown(x, *y)));
        }
        // Measured points at an end are drawn whole.
        let margin = if figure.measured.is_empty() {
            0.0
        } else {
            0.02
        };
        let x = Extent::of_places(&places, x_scale, margin);
        let mut y = Extent::of_values(&values, y_scale);
        y.binary |= figure.curves.iter().any(|curve| {
            let powers = curve
                .points
                .iter()
                .all(|p| p.1 > 0.0 && p.1.log2().fract() == 0.0);
            curve.ideal && curve.points.len() > 1 && powers
        });
        let regions = figure.regions.iter().enumerate();
        let seen = |(position, region): (usize, &Region)| {
            let (from, to) = (region.from.max(x.low), region.to.min(x.high));
            (from < to).then_some((position, from, to))
        };
        Scene {
            figure,
            x,
            y,
            regions: regions.filter_map(seen).collect(),
        }
    }

    pub fn shows(&self, x: f64, y: f64) -> bool {
        Extent::shows(self.x.scale, x) && Extent::shows(self.y.scale, y)
    }

    /// Parts of a line between points that are not shown.
    pub fn unbroken<'p>(&self, points: &'p [(f64, f64)]) -> Vec<&'p [(f64, f64)]> {
        let parts = points.split(|&(x, y)| !self.shows(x, y));
        parts.filter(|part| !part.is_empty()).collect()
    }

    /// The places of a band that can be seen, in unbroken parts.
    pub fn band<'p>(&self, points: &'p [(f64, f64, f64)]) -> Vec<&'p [(f64, f64, f64)]> {
        let parts = points.split(|&(x, low, high)| !self.shows(x, low) || !self.shows(x, high));
        parts.filter(|part| !part.is_empty()).collect()
    }

    /// Regions with the names written in them, and legend entries for names that do not fit: the letter in the
    /// region, or its location.
    pub fn region_names(
        &self,
        fits: &dyn Fn(&str, f64, f64) -> bool,
    ) -> (Vec<Option<String>>, Vec<(Key, String)>) {
        let (mut names, mut legend): (_, Vec<(Key, String)>) = (Vec::new(), Vec::new());
        let mut letters: Vec<(&str, char)> = Vec::new();
        for &(position, from, to) in &self.regions {
            let name = self.figure.regions[position].name.as_str();
            if fits(name, from, to) {
                names.push(Some(name.to_string()));
                continue;
            }
            let known = letters
                .iter()
                .find(|(own, _)| *own == name)
                .map(|(_, letter)| *letter);
            let letter = known.or_else(|| ('A'..='Z').nth(letters.len()));
            match letter.filter(|letter| fits(&letter.to_string(), from, to)) {
                Some(letter) => {
                    if known.is_none() {
                        letters.push((name, letter));
                        legend.push((Key::Region(position), format!("{letter}: {name}")));
                    }
                    names.push(Some(letter.to_string()));
                }
                None => {
                    let place = |x: f64| crate::short(x);
                    let text = format!("{name} from {} to {}", place(from), place(to));
                    legend.push((Key::Region(position), text));
                    names.push(None);
                }
            }
        }
        if let (Some(of), false) = (&self.figure.regimes_of, self.regions.is_empty()) {
            legend.push((Key::None, format!("shaded: regimes of {of}")));
        }
        (names, legend)
    }

    /// Legend entries for curves, bands, points and crossings.
    pub fn entries(&self) -> Vec<(Key, String)> {
        let figure = self.figure;
        let mut entries = Vec::new();
        for (position, curve) in figure.curves.iter().enumerate() {
            let key = if curve.ideal {
                Key::Ideal
            } else {
                Key::Curve(position)
            };
            entries.push((key, curve.name.clone()));
            let bands = figure.bands.iter().enumerate();
            let bands = bands.filter(|(_, band)| band.curve == position);
            entries.extend(bands.map(|(k, band)| (Key::Band(position, k), band.name.clone())));
        }
        for (position, measured) in figure.measured.iter().enumerate() {
            entries.push((Key::Measured(position), measured.name.clone()));
        }
        let marks = self.marks();
        let more = marks.len().saturating_sub(MOST_MARKS);
        for at in marks.into_iter().take(MOST_MARKS) {
            entries.push((Key::Mark, figure.marks[at].label.clone()));
        }
        if more > 0 {
            entries.push((Key::Mark, format!("and {more} more crossings")));
        }
        // A curve that is alone is named by its axis.
        match entries.len() {
            1 => Vec::new(),
            _ => entries,
        }
    }

    /// Crossings that can be seen.
    pub fn marks(&self) -> Vec<usize> {
        let marks = self.figure.marks.iter().enumerate();
        let seen = marks.filter(|(_, mark)| mark.at >= self.x.low && mark.at <= self.x.high);
        seen.map(|(position, _)| position).collect()
    }
}

impl Figure {
    pub(crate) fn x_scale(&self) -> Scale {
        let curves = self.curves.iter().flat_map(|c| &c.points).map(|p| p.0);
        let measured = self.measured.iter().flat_map(|m| &m.points).map(|p| p.0);
        let all = curves.chain(measured);
        self.x.scale.unwrap_or_else(|| Scale::of_places(all))
    }

    pub(crate) fn y_scale(&self) -> Scale {
        let curves = self.curves.iter().filter(|c| !c.ideal);
        let curves = curves.flat_map(|c| &c.points).map(|p| p.1);
        let bands = self.bands.iter().flat_map(|b| &b.points);
        let bands = bands.flat_map(|p| [p.1, p.2]);
        let measured = self.measured.iter().flat_map(|m| &m.points).map(|p| p.1);
        let all = curves.chain(bands).chain(measured);
        self.y.scale.unwrap_or_else(|| Scale::of_values(all))
    }
}
