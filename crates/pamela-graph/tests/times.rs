//! Times that are refused, times of files, and limited processors.

use std::collections::BTreeMap;
use std::sync::Arc;

use pamela_graph::files::{Options, Source, parse};
use pamela_graph::{Graph, Paths, Samples, Time, Times, bounds, normal, processors, sample};
use pamela_law::{Calculus, Carrier, Distribution, Named};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

fn law(name: &str, arguments: &[f64]) -> Arc<dyn Distribution> {
    Arc::new(Named::new(name, arguments).unwrap())
}

#[test]
fn times_that_are_none_are_refused() {
    let error = |laws: Vec<Arc<dyn Distribution>>, time: Time| {
        Times::new(laws, vec![Time::constant(1.0), time])
            .err()
            .unwrap()
            .to_string()
    };
    assert!(
        error(vec![], Time::constant(-1.0))
            .starts_with("task 1: the time may be -1, but must be at least 0")
    );
    assert!(error(vec![], Time::constant(f64::NAN)).contains("must be finite"));
    assert!(error(vec![], Time::scaled(0, 1.0)).contains("there is no law 0"));
    assert!(
        error(vec![law("normal", &[10.0, 1.0])], Time::scaled(0, 1.0)).contains("truncate the law")
    );
    assert!(error(vec![law("pareto", &[1.0, 1.0])], Time::scaled(0, 1.0)).contains("has no mean"));
    assert!(
        error(vec![law("exponential", &[1.0])], Time::scaled(0, -1.0))
            .contains("the factor at least 0")
    );
}

#[test]
fn laws_of_the_calculus_are_times() {
    let calculus = Calculus {
        carrier: Carrier::Grid,
    };
    let one = calculus.named("exponential", &[1.0]).unwrap();
    let laws = [
        one.clone(),
        pamela_law::Law::constant(2.0),
        calculus.sum(&[&one, &one]).unwrap(),
    ];
    let times = Times::of_laws(&laws).unwrap();
    assert_eq!(
        (times.mean(1), times.is_number(1), times.is_number(0)),
        (2.0, true, false)
    );
    assert!((times.mean(2) - 2.0).abs() < 1e-9 && (times.variance(2) - 2.0).abs() < 1e-6);
    // In series: 1 + 2 + 2.
    let graph = Graph::new(3, &[(0, 1), (1, 2)]).unwrap();
    let [lower, upper] = bounds(&graph, &times, &Default::default()).unwrap().mean;
    assert!(
        lower <= 5.0 + 1e-6 && upper >= 5.0 - 1e-6 && upper - lower < 1e-2,
        "{lower} {upper}"
    );
}

#[test]
fn runs_of_a_task_are_its_law() {
    let source = Source {
        name: "t",
        text: "task,after,time\na,,1\na,,3\nb,a,2\nc,,\n",
    };
    let recording = parse(&[source], &Options::default()).unwrap();
    let missing = Times::recorded(&recording.tasks, None)
        .err()
        .unwrap()
        .to_string();
    assert_eq!(missing, "t:5: the task `c` has no time: set a default time");
    let times = Times::recorded(&recording.tasks, Some(0.5)).unwrap();
    assert_eq!(times.means(), [2.0, 2.0, 0.5]);
    let graph = Graph::of(&recording.tasks).unwrap();
    // 3 or 5, as likely as each other.
    let bounds = bounds(&graph, &times, &Default::default()).unwrap();
    assert!(
        (bounds.mean[0] - 4.0).abs() < 1e-2 && (bounds.mean[1] - 4.0).abs() < 1e-2,
        "{:?}",
        bounds.mean
    );
    let estimate = sample(&graph, &times, 1, Samples::Exactly(1_000)).unwrap();
    assert!(estimate.law.samples().iter().all(|&x| x == 3.0 || x == 5.0));
    // Of a pair, one draws 3 and the other 5.
    assert_eq!((estimate.mean, estimate.mean_error), (4.0, 0.0));
}

#[test]
fn heavy_tails_are_bounded_from_below_and_sampled() {
    let graph = Graph::new(4, &[(0, 2), (0, 3), (1, 3)]).unwrap();
    let times = Times::new(
        vec![law("pareto", &[1.5, 1.0])],
        vec![Time::scaled(0, 1.0); 4],
    )
    .unwrap();
    let error = normal(&graph, &times).unwrap_err().to_string();
    assert!(
        error.starts_with("task 0: the law of its time has no variance"),
        "{error}"
    );
    let bounds = bounds(&graph, &times, &Default::default()).unwrap();
    let estimate = sample(&graph, &times, 1, Samples::Exactly(65_536)).unwrap();
    assert!(
        bounds.mean[0] < estimate.mean && estimate.mean < bounds.mean[1],
        "{:?} {}",
        bounds.mean,
        estimate.mean
    );
}

/// Each processor takes the first task that can begin; what it takes is left to chance.
fn schedule(rng: &mut Pcg64, graph: &Graph, weights: &[f64], processors: usize) -> f64 {
    let mut waiting: Vec<usize> = (0..graph.tasks() as u32)
        .map(|task| graph.before(task).len())
        .collect();
    let mut ready: Vec<u32> = (0..graph.tasks() as u32)
        .filter(|&task| waiting[task as usize] == 0)
        .collect();
    // Times to the bit, by which tasks end.
    let mut running: BTreeMap<(u64, u32), ()> = BTreeMap::new();
    let mut now = 0.0;
    while !ready.is_empty() || !running.is_empty() {
        while running.len() < processors && !ready.is_empty() {
            let task = ready.swap_remove(rng.random_range(0..ready.len()));
            running.insert(((now + weights[task as usize]).to_bits(), task), ());
        }
        let Some((&(end, task), ())) = running.first_key_value() else {
            break;
        };
        running.remove(&(end, task));
        now = f64::from_bits(end);
        for &next in graph.after(task) {
            waiting[next as usize] -= 1;
            if waiting[next as usize] == 0 {
                ready.push(next);
            }
        }
    }
    now
}

#[test]
fn schedules_on_processors_lie_between_the_bounds() {
    for seed in 0..300 {
        let mut rng = Pcg64::seed_from_u64(seed);
        let tasks = rng.random_range(1..40_u32);
        let pairs = (0..tasks).flat_map(|v| (0..v).map(move |u| (u, v)));
        let pairs: Vec<(u32, u32)> = pairs.filter(|_| rng.random_bool(0.1)).collect();
        let graph = Graph::new(tasks as usize, &pairs).unwrap();
        let weights: Vec<f64> = (0..tasks).map(|_| rng.random_range(0.1..3.0)).collect();
        let count = rng.random_range(1..6_usize);
        let [lower, upper] = processors(&graph, &weights, count as f64);
        let plain = Paths::new(&graph, &weights)
            .length()
            .max(weights.iter().sum::<f64>() / count as f64);
        assert!(lower >= plain * (1.0 - 1e-12));
        for _ in 0..5 {
            let time = schedule(&mut rng, &graph, &weights, count);
            assert!(
                lower <= time + 1e-9 && time <= upper + 1e-9,
                "seed {seed}: {lower} {time} {upper}"
            );
        }
    }
}

/// The sum of two times of a graph has twice their mean, whatever the samples are.
#[test]
fn estimates_add_up() {
    for (size, samples) in [
        (20, 512),
        (40, 1_024),
        (40, 2_048),
        (60, 1_024),
        (60, 4_096),
    ] {
        let family = pamela_graph::families::wavefront(size, size).unwrap();
        let times = family.of_kinds(&[1.0]);
        let times = times.iter().map(|&mean| Time::scaled(0, mean)).collect();
        let times = Times::new(vec![law("exponential", &[1.0])], times).unwrap();
        let found = sample(&family.graph, &times, 1, Samples::Exactly(samples)).unwrap();
        let calculus = Calculus {
            carrier: Carrier::Grid,
        };
        let all = found.law.samples().to_vec();
        let one = calculus.estimated(&Arc::new(found.law));
        let two = calculus.repeated(&one, 2.0).unwrap();
        let (law, _) = two.distribution(Carrier::Grid).unwrap();
        let sums = all.iter().flat_map(|a| all.iter().map(move |b| a + b));
        let mut sums: Vec<f64> = sums.collect();
        sums.sort_by(f64::total_cmp);
        for p in [0.1, 0.5, 0.9, 0.99] {
            let exact = sums[(p * sums.len() as f64) as usize];
            let quantile = pamela_law::quantile(law.as_ref(), p);
            assert!(
                (quantile / exact - 1.0).abs() < 1e-3,
                "{size} {samples} {p}: {quantile} for {exact}"
            );
        }
        assert!((two.cumulants().mean / found.mean - 2.0).abs() < 1e-9);
    }
}

/// Clark's moments with the covariances of all tasks, each kept to the end.
fn by_all_covariances(graph: &Graph, times: &Times) -> [f64; 2] {
    let phi = |x: f64| (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt();
    let named = Named::new("normal", &[0.0, 1.0]).unwrap();
    let mut known: Vec<(f64, Vec<f64>)> = Vec::new();
    // The last of all is one more task, of no time.
    let lasts: Vec<u32> = (graph.order().iter().copied())
        .filter(|&task| graph.after(task).is_empty())
        .collect();
    let mut places = vec![usize::MAX; graph.tasks()];
    let all = graph
        .order()
        .iter()
        .map(|&task| (Some(task), graph.before(task).to_vec()));
    for (task, before) in all.chain([(None, lasts)]) {
        let place = known.len();
        let mut largest: Option<(f64, Vec<f64>, f64)> = None;
        for u in before.iter().map(|&u| places[u as usize]) {
            let (mean, row) = known[u].clone();
            let own = row[u];
            largest = Some(match largest {
                None => (mean, row, own),
                Some((m, covariances, v)) => {
                    let spread = (v + own - 2.0 * covariances[u]).sqrt();
                    let alpha = (m - mean) / spread;
                    let share = named.cdf(alpha).below;
                    let both = m * share + mean * (1.0 - share) + spread * phi(alpha);
                    let square = (m * m + v) * share
                        + (mean * mean + own) * (1.0 - share)
                        + (m + mean) * spread * phi(alpha);
                    let mixed = covariances.iter().zip(&row);
                    let mixed = mixed.map(|(x, y)| share * x + (1.0 - share) * y).collect();
                    (both, mixed, square - both * both)
                }
            });
        }
        let (mean, mut covariances, variance) = largest.unwrap_or((0.0, vec![0.0; place], 0.0));
        let (own, spread) =
            task.map_or((0.0, 0.0), |task| (times.mean(task), times.variance(task)));
        if let Some(task) = task {
            places[task as usize] = place;
        }
        for (other, (_, row)) in known.iter_mut().enumerate() {
            row.push(covariances[other]);
        }
        covariances.push(variance + spread);
        known.push((mean + own, covariances));
    }
    let (mean, covariances) = known.last().unwrap();
    [*mean, *covariances.last().unwrap()]
}

#[test]
fn normal_laws_are_those_of_clark_with_all_covariances() {
    for seed in 0..200 {
        let mut rng = Pcg64::seed_from_u64(seed);
        let tasks = rng.random_range(1..25_u32);
        let pairs = (0..tasks).flat_map(|v| (0..v).map(move |u| (u, v)));
        let pairs: Vec<(u32, u32)> = pairs.filter(|_| rng.random_bool(0.15)).collect();
        let graph = Graph::new(tasks as usize, &pairs).unwrap();
        let factors = (0..tasks).map(|_| Time::scaled(0, rng.random_range(0.5..2.0)));
        let times = Times::new(vec![law("gamma", &[4.0, 0.25])], factors.collect()).unwrap();
        let found = normal(&graph, &times).unwrap();
        let [mean, variance] = by_all_covariances(&graph, &times);
        assert!(
            (found.mean / mean - 1.0).abs() < 1e-9
                && (found.variance / variance - 1.0).abs() < 1e-7,
            "{seed}: {found:?} for {mean} {variance}"
        );
    }
}
