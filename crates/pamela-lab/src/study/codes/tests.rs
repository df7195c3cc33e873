use super::*;
use machine::{Cache, LINE};

#[test]
fn caches_miss_once_for_each_line_and_keep_two_of_a_set() {
    let mut cache = Cache::new(machine::MISS);
    (0..80).for_each(|address| cache.word(address));
    assert_eq!(cache.lap(), 80.0 * machine::LOAD + 10.0 * machine::MISS);
    // Three lines of one set, of which the one that was used last but one goes.
    let far = |way: usize| way * 128 * LINE;
    for (way, misses) in [(1, 1.0), (2, 1.0), (1, 0.0), (3, 1.0), (1, 0.0), (2, 1.0)] {
        cache.word(far(way));
        assert_eq!(cache.lap(), machine::LOAD + misses * machine::MISS);
    }
}

/// Of one processor and no cache miss, what the loops have: by hand.
#[test]
fn codes_count_the_words_of_their_loops() {
    let (n, word) = (8, machine::LOAD);
    // All is in the cache after its lines are loaded: 8 of b, 1 of c.
    let inner = 3.0 * word + 2.0 * machine::FLOP;
    let expected = 512.0 * inner + 9.0 * machine::MISS + 8.0 * machine::message(8);
    assert_eq!((dense::MATMUL.counted)(n, 1, machine::MISS), expected);
    // 56 updates; 8 lines of each array.
    let expected = 56.0 * (4.0 * word + 2.0 * machine::FLOP) + 16.0 * machine::MISS;
    assert_eq!((dense::ADI_ROWS.counted)(n, 1, machine::MISS), expected);
    // 7^2 + ... + 1 updates, 8 lines, messages of 7, ..., 1 words; the first row and the others are all touched.
    let messages: f64 = (1..8).map(machine::message).sum();
    let expected = 140.0 * inner + 8.0 * machine::MISS + messages;
    for code in [&dense::GAUSS_BLOCK, &dense::GAUSS_CYCLIC] {
        assert_eq!((code.counted)(n, 1, machine::MISS), expected);
    }
}

/// Where a missed line takes no time, counts and models are the same, whatever the mapping.
#[test]
fn predictions_are_exact_without_misses() {
    for code in [
        &dense::MATMUL,
        &dense::ADI_ROWS,
        &dense::ADI_COLUMNS,
        &dense::GAUSS_BLOCK,
        &dense::GAUSS_CYCLIC,
    ] {
        for (n, processors) in [(12, 5), (20, 3), (17, 4), (16, 16), (3, 8)] {
            let model = model_of(code.process).expect("a model");
            let found = predicted(&model, n, processors, &[("t_miss", 0.0)]).expect("a time");
            let counted = (code.counted)(n, processors, 0.0);
            assert!(
                (found / counted - 1.0).abs() < 1e-12,
                "{}
{n} on {processors}: {found} {counted}",
                code.process
            );
        }
    }
}

/// Of all orders of four numbers: 5 H(4) - 8 changes in the mean.
#[test]
fn selection_changes_as_often_as_knuth_says() {
    let (mut total, mut orders) = (0, 0);
    for code in 0..256_usize {
        let order = [code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6];
        if (0..4).all(|k| order.contains(&k)) {
            total += selection::changes(order.map(|k| k as f64).to_vec());
            orders += 1;
        }
    }
    assert_eq!(orders, 24);
    let harmonic = 1.0 + 0.5 + 1.0 / 3.0 + 0.25;
    assert!((total as f64 / 24.0 - (5.0 * harmonic - 8.0)).abs() < 1e-12);
}

#[test]
fn small_codes_have_all_figures_and_their_order() {
    let report = codes(Sizes::PAPERS.divided(8)).unwrap_or_else(|error| panic!("{error}"));
    let names: Vec<&str> = report
        .drawings
        .iter()
        .map(|drawing| drawing.name.as_str())
        .collect();
    let expected =
        ["002-1", "002-2", "002-3", "002-4", "6.2", "6.3"].map(|name| format!("figure-{name}"));
    assert_eq!(names, expected.each_ref().map(String::as_str));
    let value = |table: usize, point: &str, method: &str, column: usize| {
        let values = report.tables[table].values(point, method);
        values.and_then(|values| values[column]).expect("a value")
    };
    for method in ["counted", "predicted"] {
        // Rows on the processors are faster than columns, blocks than columns in turn, own indices than all.
        assert!(
            value(1, "64", method, 1) > value(1, "64", method, 0),
            "{}",
            report.tables[1]
        );
        assert!(
            value(2, "8", method, 1) > value(2, "8", method, 0),
            "{}",
            report.tables[2]
        );
        assert!(
            value(3, "16", method, 1) > value(3, "16", method, 0),
            "{}",
            report.tables[3]
        );
        // Moving elements makes two processors slower than one (thesis 6.4).
        assert!(value(4, "2", method, 1) < 1.0, "{}", report.tables[4]);
    }
    for row in report.tables.iter().flat_map(|table| &table.rows) {
        assert!(
            row.values.iter().flatten().all(|value| value.is_finite()),
            "{row:?}"
        );
    }
}
