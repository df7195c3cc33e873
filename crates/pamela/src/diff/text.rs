//! Differences as lines of text.

use super::{Change, Compared, Difference, Ratio, RatioKind, Region};

/// Characters of a form or a difference that are printed.
const LONGEST: usize = 160;

/// All differences as lines of text.
pub fn lines(difference: &Difference) -> Vec<String> {
    let mut lines: Vec<String> = difference.values.iter().flat_map(of_value).collect();
    let lists = [
        ("only in", &difference.old, &difference.only_old),
        ("only in", &difference.new, &difference.only_new),
        (
            "parameters only in",
            &difference.old,
            &difference.parameters_only_old,
        ),
        (
            "parameters only in",
            &difference.new,
            &difference.parameters_only_new,
        ),
    ];
    for (what, file, names) in lists {
        if !names.is_empty() {
            lines.push(format!("{what} {file}: {}", names.join(", ")));
        }
    }
    lines
}

fn of_value(value: &Compared) -> Vec<String> {
    let mut lines = vec![format!("{}: {}", value.name, headline(value))];
    if value.change == Change::Equal {
        return lines;
    }
    for (side, form) in [("old", &value.old), ("new", &value.new)] {
        if let Some(form) = form {
            lines.push(format!("  {side}: {}", short(form)));
        }
    }
    let told = value.regions.iter().filter(|own| !own.when.is_empty());
    lines.extend(told.map(region));
    lines.extend(value.growth.iter().map(|growth| {
        let (parameter, old, new) = (&growth.parameter, &growth.old, &growth.new);
        format!("  in {parameter}: {old} became {new}")
    }));
    lines.extend(
        value
            .ratio
            .as_ref()
            .map(|ratio| format!("  {}", of_ratio(ratio))),
    );
    for example in &value.examples {
        let at = point(&example.point);
        lines.push(format!("  at {at}: {} became {}", example.old, example.new));
    }
    lines
}

fn headline(value: &Compared) -> String {
    let text = match value.change {
        Change::Equal => "equal",
        Change::Slower => "slower",
        Change::Faster => "faster",
        Change::NotSlower => "not slower",
        Change::Mixed => "slower in some places, faster in others",
        Change::Undecided => "not decided",
    };
    let text = match (&value.reason, value.certain) {
        (Some(reason), _) => format!("{text}: {reason}"),
        (None, true) => text.to_owned(),
        (None, false) => format!("{text}, by points"),
    };
    if value.domain.is_empty() {
        text
    } else {
        format!("{text} (where {})", value.domain.join(" && "))
    }
}

fn region(region: &Region) -> String {
    let what = match region.change {
        Change::Equal => "equal",
        Change::Slower => "slower or equal",
        Change::Faster | Change::NotSlower => "faster or equal",
        Change::Mixed | Change::Undecided => "not decided",
    };
    let when = region.when.join(" && ");
    match region.change {
        Change::Equal => format!("  {what} where {when}"),
        _ => format!("  {what} where {when}, by {}", short(&region.difference)),
    }
}

fn of_ratio(ratio: &Ratio) -> String {
    let number = match &ratio.exact {
        Some(exact) if exact.len() <= 12 => exact.clone(),
        _ => format!("{:.6}", ratio.value),
    };
    let at = ratio
        .at
        .as_deref()
        .map_or(String::new(), |at| format!(" at {}", point(at)));
    match ratio.kind {
        RatioKind::Constant => format!("new / old = {number}"),
        RatioKind::Greatest => format!("new / old is at most {number},{at}"),
        RatioKind::Limit => format!("new / old is below {number}, and comes near it"),
        RatioKind::Unbounded => "new / old has no bound".to_owned(),
        RatioKind::Sampled => format!("largest new / old at the points tried: {number},{at}"),
    }
}

fn point(point: &[(String, String)]) -> String {
    if point.is_empty() {
        return "any point".to_owned();
    }
    let pairs = point
        .iter()
        .map(|(name, value)| format!("{name} = {value}"));
    pairs.collect::<Vec<_>>().join(", ")
}

fn short(text: &str) -> String {
    if text.chars().count() > LONGEST {
        format!("{}..", text.chars().take(LONGEST).collect::<String>())
    } else {
        text.to_owned()
    }
}
