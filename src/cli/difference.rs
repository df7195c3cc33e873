//! Differences of two texts, as `diff -u` prints them.

/// Lines around a change that are shown.
const CONTEXT: usize = 3;
/// Lines in which two texts are brought together again after a change.
const WINDOW: usize = 200;

#[derive(Clone, Copy)]
enum Step {
    Keep,
    Delete,
    Insert,
}

/// The differences of two texts as a unified diff; empty if there are none.
pub fn unified(name: &str, old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (lines(old), lines(new));
    let steps = steps(&old, &new);
    let mut result = format!("--- {name}\n+++ {name}\n");
    let is_change = |position: usize| !matches!(steps.get(position), Some(Step::Keep) | None);
    let mut position = 0;
    // Lines of both texts before the position.
    let (mut before_old, mut before_new) = (0, 0);
    while position < steps.len() {
        let near = (position..=position + CONTEXT).any(is_change);
        if !near {
            before_old += 1;
            before_new += 1;
            position += 1;
            continue;
        }
        let mut end = position;
        while (end.saturating_sub(CONTEXT)..=end + CONTEXT)
            .any(|at| at >= position && is_change(at))
            && end < steps.len()
        {
            end += 1;
        }
        let (mut own_old, mut own_new, mut body) = (0, 0, String::new());
        for step in &steps[position..end] {
            let (sign, line) = match step {
                Step::Keep => (' ', old[before_old + own_old]),
                Step::Delete => ('-', old[before_old + own_old]),
                Step::Insert => ('+', new[before_new + own_new]),
            };
            own_old += usize::from(!matches!(step, Step::Insert));
            own_new += usize::from(!matches!(step, Step::Delete));
            body.push(sign);
            body.push_str(line);
            if !line.ends_with('\n') {
                body.push_str("\n\\ No newline at end of file\n");
            }
        }
        let start = |before: usize, own: usize| before + usize::from(own > 0);
        result.push_str(&format!(
            "@@ -{},{own_old} +{},{own_new} @@\n{body}",
            start(before_old, own_old),
            start(before_new, own_new)
        ));
        before_old += own_old;
        before_new += own_new;
        position = end;
    }
    result
}

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// The steps from one text to the other.
fn steps(old: &[&str], new: &[&str]) -> Vec<Step> {
    let (mut here, mut there) = (0, 0);
    let mut steps = Vec::new();
    while here < old.len() && there < new.len() {
        if old[here] == new[there] {
            steps.push(Step::Keep);
            (here, there) = (here + 1, there + 1);
            continue;
        }
        let (deleted, inserted) = nearest_meeting(&old[here..], &new[there..]);
        steps.extend(std::iter::repeat_n(Step::Delete, deleted));
        steps.extend(std::iter::repeat_n(Step::Insert, inserted));
        (here, there) = (here + deleted, there + inserted);
    }
    steps.extend(std::iter::repeat_n(Step::Delete, old.len() - here));
    steps.extend(std::iter::repeat_n(Step::Insert, new.len() - there));
    steps
}

/// Numbers of lines after which both texts have the same line, with the least sum.
fn nearest_meeting(old: &[&str], new: &[&str]) -> (usize, usize) {
    let (most_old, most_new) = (old.len().min(WINDOW), new.len().min(WINDOW));
    for sum in 1..most_old + most_new {
        for deleted in sum.saturating_sub(most_new - 1)..=sum.min(most_old - 1) {
            if old[deleted] == new[sum - deleted] {
                return (deleted, sum - deleted);
            }
        }
    }
    (most_old, most_new)
}
