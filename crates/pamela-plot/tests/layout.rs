//! Many generated pictures: texts do not cover each other, stay on the sheet and within the regions that they name; every
//! axis has numbers, which are whole where places are. With `PAMELA_PICTURES=directory` they are written as PNG files.

use pamela_plot::sheet::{Item, Text};
use pamela_plot::{
    Arrangement, Axis, Band, Curve, Figure, HeatMap, Ink, Mark, Measured, Picture, Region, Scale,
    Task, TaskGraph,
};

/// Numbers that are the same for each run (Knuth's generator).
struct Draws(u64);

impl Draws {
    fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn below(&mut self, most: u64) -> u64 {
        self.next() % most
    }

    fn share(&mut self) -> f64 {
        self.next() as f64 / (1u64 << 31) as f64
    }

    fn chance(&mut self, share: f64) -> bool {
        self.share() < share
    }

    fn of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize].clone()
    }

    /// Words such as names and conditions, short and long.
    fn words(&mut self) -> String {
        let all = [
            "critical path",
            "s",
            "disk",
            "P = (tl + ts) / ts = 101",
            "tl + ts >= P*ts && N >= 1 && (a + b)*c <= 17 || ts == 0 && tl + 3*ts >= N*(P - 1)*ts",
            "N = 2²⁰",
            "T_a_process_of_a_long_name_that_somebody_thought_was_a_good_idea_at_the_time_of_writing_it",
            "models/Größe & <Ω>.pam",
            "",
        ];
        self.of(&all).to_string()
    }

    fn places(&mut self) -> Vec<f64> {
        let count = 1 + self.below(60) as i32;
        match self.below(6) {
            0 => (0..count).map(f64::from).collect(),
            1 => (0..count.min(40)).map(|k| 2f64.powi(k)).collect(),
            2 => (0..count).map(|k| 1e6 + f64::from(k) * 1e-3).collect(),
            3 => (0..count).map(|k| 10f64.powi(k * 5 - 150)).collect(),
            4 => vec![self.share() * 1e4],
            _ => (0..count).map(|k| -3.5 + f64::from(k) * 0.7).collect(),
        }
    }

    fn values(&mut self, count: usize) -> Vec<f64> {
        let kind = self.below(9);
        let scale = 10f64.powi(self.below(40) as i32 - 20);
        let value = |k: usize, share: f64| match kind {
            0 => 0.0,
            1 => -3.0 * scale,
            2 => 1.0 + share * 1e-13,
            3 => 1e9 + share,
            4 => 2f64.powi(k as i32),
            5 => scale * share.powi(30),
            6 => (share - 0.5) * 1e308,
            7 if k % 3 == 1 => f64::NAN,
            _ => scale * (1.0 + k as f64 * share),
        };
        (0..count).map(|k| value(k, self.share())).collect()
    }

    fn figure(&mut self) -> Figure {
        let places = self.places();
        let mut figure = Figure {
            title: self.words(),
            x: self.axis(),
            y: self.axis(),
            ..Figure::default()
        };
        for number in 0..1 + self.below(12) {
            let values = self.values(places.len());
            let points: Vec<(f64, f64)> = places.iter().copied().zip(values).collect();
            if self.chance(0.2) {
                figure.bands.push(Band {
                    name: self.words(),
                    curve: figure.curves.len(),
                    points: points.iter().map(|p| (p.0, p.1 / 2.0, p.1 * 1.5)).collect(),
                });
            }
            figure.curves.push(Curve {
                name: self.words(),
                points,
                ideal: number == 3,
            });
        }
        let (first, last) = (places[0], places[places.len() - 1]);
        if self.chance(0.6) {
            let mut from = first;
            while figure.regions.len() < 9 && from < last {
                let to = from + (last - from) * self.of(&[0.001, 0.02, 0.1, 0.3, 0.9]);
                figure.regions.push(Region {
                    name: self.words(),
                    from,
                    to,
                });
                figure.marks.push(Mark {
                    label: self.words(),
                    at: to,
                });
                from = to;
            }
            figure.regimes_of = self.chance(0.5).then(|| self.words());
        }
        if self.chance(0.3) {
            let values = self.values(places.len());
            let points = places
                .iter()
                .zip(values)
                .map(|(x, y)| (*x, y, Some(y.abs() / 3.0)));
            figure.measured.push(Measured {
                name: self.words(),
                curve: self.chance(0.5).then_some(0),
                points: points.collect(),
            });
        }
        figure
    }

    fn axis(&mut self) -> Axis {
        Axis {
            label: self.words(),
            scale: self.of(&[None, None, Some(Scale::Linear), Some(Scale::Log)]),
        }
    }

    fn picture(&mut self) -> Picture {
        match self.below(5) {
            0 => {
                let (mut columns, mut rows) = (self.places(), self.places());
                columns.truncate(30);
                rows.truncate(30);
                let values = rows.iter().map(|_| self.values(columns.len())).collect();
                Picture::HeatMap(HeatMap {
                    title: self.words(),
                    x: self.words(),
                    y: self.words(),
                    label: self.words(),
                    columns,
                    rows,
                    values,
                })
            }
            1 => Picture::Panels((0..2 + self.below(3)).map(|_| self.figure()).collect()),
            _ => Picture::Figure(self.figure()),
        }
    }
}

fn count() -> u64 {
    let set = std::env::var("PAMELA_PICTURES_COUNT").ok();
    set.and_then(|text| text.parse().ok()).unwrap_or(100)
}

#[test]
fn texts_keep_apart_and_stay_where_they_belong() {
    let directory = std::env::var_os("PAMELA_PICTURES").map(std::path::PathBuf::from);
    for seed in 0..count() {
        let picture = Draws(seed).picture();
        let sheet = picture.sheet();
        let wrong = sheet.collisions();
        if let Some(directory) = &directory {
            std::fs::write(
                directory.join(format!("{seed}.png")),
                picture.png().expect("a picture"),
            )
            .expect("a file");
        }
        assert!(wrong.is_empty(), "seed {seed}: {}", wrong.join("; "));
        for item in &sheet.items {
            let points = match item {
                Item::Line { points, .. } | Item::Area { points, .. } => points.clone(),
                Item::Dot { at, .. } => vec![*at],
                Item::Text(text) => vec![text.at],
            };
            let inside = |p: &(f64, f64)| {
                (-0.1..=sheet.width + 0.1).contains(&p.0)
                    && (-0.1..=sheet.height + 0.1).contains(&p.1)
            };
            assert!(
                points.iter().all(inside),
                "seed {seed}: {item:?} leaves the sheet"
            );
        }
    }
}

#[test]
fn terminals_get_lines_that_fit() {
    for seed in 0..count() {
        let picture = Draws(seed).picture();
        for (columns, rows) in [(40, 12), (80, 24), (200, 60)] {
            for ink in [Ink::Plain, Ink::Ascii] {
                let text = picture.terminal(columns, rows, ink);
                assert!(!text.contains('\x1b'), "seed {seed}");
                assert!(ink != Ink::Ascii || text.is_ascii(), "seed {seed}: {text}");
                let widest = text.lines().map(|line| line.chars().count()).max();
                assert!(
                    widest <= Some(columns),
                    "seed {seed} at {columns}: {widest:?}\n{text}"
                );
            }
            let coloured = picture.terminal(columns, rows, Ink::Colours);
            let parts = coloured.split('\x1b').skip(1);
            for part in parts {
                let code = part
                    .split_once('m')
                    .map(|(code, _)| code.trim_start_matches('['));
                let code: u8 = code.and_then(|code| code.parse().ok()).expect("a colour");
                assert!(code == 39 || (31..=36).contains(&code) || (91..=96).contains(&code));
            }
        }
    }
}

fn texts(picture: &Picture) -> Vec<String> {
    let sheet = picture.sheet();
    let texts = sheet.items.iter().filter_map(|item| match item {
        Item::Text(Text { text, .. }) => Some(text.clone()),
        _ => None,
    });
    texts.collect()
}

fn curve(points: &[(f64, f64)]) -> Picture {
    Picture::Figure(Figure {
        curves: vec![Curve {
            name: "T".to_string(),
            points: points.to_vec(),
            ideal: false,
        }],
        ..Figure::default()
    })
}

#[test]
fn numbers_of_axes_are_those_of_the_places() {
    let few: Vec<(f64, f64)> = (1..=6)
        .map(|p| (f64::from(p), 10.0 / f64::from(p)))
        .collect();
    let own = texts(&curve(&few));
    assert!(
        ["1", "2", "3", "4", "5", "6"]
            .iter()
            .all(|n| own.iter().any(|t| t == n)),
        "{own:?}"
    );
    // Half a processor is none.
    let numbers: Vec<f64> = texts(&curve(&[(1.0, 0.5), (2.0, 0.25), (3.0, 0.1)]))
        .iter()
        .filter_map(|t| t.parse().ok())
        .collect();
    assert!(
        !numbers.contains(&1.5) && !numbers.contains(&2.5),
        "{numbers:?}"
    );
    let powers: Vec<(f64, f64)> = (0..=10).map(|k| (2f64.powi(k), 3.0)).collect();
    let own = texts(&curve(&powers));
    assert!(
        ["1", "64", "1024"]
            .iter()
            .all(|n| own.iter().any(|t| t == n)),
        "{own:?}"
    );
    let large: Vec<(f64, f64)> = (10..=24).map(|k| (2f64.powi(k), 3.0)).collect();
    assert!(
        texts(&curve(&large)).contains(&"2²⁰".to_string()),
        "{:?}",
        texts(&curve(&large))
    );
    // A constant is not magnified.
    let own = texts(&curve(&[(1.0, 5.0), (2.0, 5.0 + 1e-14), (9.0, 5.0)]));
    assert!(
        own.contains(&"0".to_string()) && own.contains(&"6".to_string()),
        "{own:?}"
    );
    // What differs in the tenth digit is told apart.
    let near = texts(&curve(&[(0.0, 1e6 + 0.1), (1.0, 1e6 + 0.2)]));
    let unlike: std::collections::BTreeSet<&String> = near.iter().collect();
    assert_eq!(unlike.len(), near.len(), "{near:?}");
}

#[test]
fn pictures_of_nothing_and_of_one_point() {
    for picture in [
        curve(&[]),
        curve(&[(3.0, 4.0)]),
        curve(&[(1.0, f64::NAN)]),
        Picture::Figure(Figure::default()),
    ] {
        assert!(picture.svg().contains("<svg") && picture.pdf().starts_with(b"%PDF"));
        assert!(
            picture
                .png()
                .is_ok_and(|bytes| bytes.starts_with(b"\x89PNG"))
        );
        assert!(!picture.terminal(80, 24, Ink::Plain).is_empty());
    }
}

/// Tasks that each wait for some of those before them.
fn tasks(draws: &mut Draws) -> TaskGraph {
    let count = 1 + draws.below(200) as usize;
    let mut tasks: Vec<Task> = Vec::new();
    let mut precedences = Vec::new();
    for number in 0..count {
        let before: Vec<usize> = (number.saturating_sub(12)..number)
            .filter(|_| draws.chance(0.2))
            .collect();
        let from = before.iter().map(|&u| tasks[u].to).fold(0.0, f64::max);
        precedences.extend(before.into_iter().map(|u| (u, number)));
        let family = draws.of(&["a", "potrf", "a task of a long name"]);
        tasks.push(Task {
            name: format!("{family}({number})"),
            family: family.to_string(),
            from,
            to: from + draws.share() * draws.of(&[0.0, 1.0, 100.0]),
            criticality: draws.share(),
        });
    }
    TaskGraph {
        title: draws.words(),
        label: format!("{count} tasks"),
        arrangement: draws.of(&[Arrangement::Layers, Arrangement::Time]),
        tasks,
        path: vec![0, count - 1],
        precedences,
    }
}

#[test]
fn names_of_tasks_cover_nothing_and_stay_on_the_sheet() {
    for seed in 0..300 {
        let picture = Picture::Tasks(tasks(&mut Draws(seed)));
        let sheet = picture.sheet();
        let wrong = sheet.collisions();
        assert!(wrong.is_empty(), "{seed}: {wrong:?}");
        for item in &sheet.items {
            if let Item::Area { points, .. } = item {
                let inside = |&(x, y): &(f64, f64)| {
                    (0.0..=sheet.width).contains(&x) && (0.0..=sheet.height).contains(&y)
                };
                assert!(points.iter().all(inside), "{seed}: {points:?}");
            }
        }
        let text = picture.terminal(80, 24, Ink::Ascii);
        assert!(
            text.lines().all(|line| line.chars().count() <= 80),
            "{seed}: {text}"
        );
        assert!(picture.vega_lite()["layer"].is_array());
    }
}

/// By hand: two chains, of which one is longer.
#[test]
fn tasks_stand_to_the_right_of_what_they_wait_for() {
    let task = |name: &str, from: f64, to: f64| Task {
        name: name.to_string(),
        family: name.to_string(),
        from,
        to,
        criticality: 1.0,
    };
    let graph = TaskGraph {
        title: "t".into(),
        label: "l".into(),
        arrangement: Arrangement::Time,
        tasks: vec![
            task("a", 0.0, 2.0),
            task("b", 0.0, 5.0),
            task("c", 2.0, 4.0),
            task("d", 5.0, 6.0),
        ],
        precedences: vec![(0, 2), (1, 3), (2, 3)],
        path: vec![1, 3],
    };
    let text = Picture::Tasks(graph).terminal(40, 24, Ink::Ascii);
    // 38 columns for 6 units of time: 2 is at 12, 4 at 25, 5 at 31 and 6 at 37.
    let bar = |name: &str, sign: &str, from: usize, to: usize| {
        format!("{name} {}{}", " ".repeat(from), sign.repeat(to - from))
    };
    let bars = [
        bar("a", "-", 0, 12),
        bar("b", "#", 0, 31),
        bar("c", "-", 12, 25),
        bar("d", "#", 31, 37),
    ];
    for bar in bars {
        assert!(text.contains(&bar), "{text}");
    }
}
