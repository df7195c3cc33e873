//! std/transformer and std/training beside counts of matrices, experts and passes.

use super::{Draws, assert_near, compiled, value};

/// Products of a token with each matrix, forward once and backward twice, two operations for each weight.
#[test]
fn work_and_weights_are_those_of_all_matrices() {
    let mut draws = Draws(1);
    for trial in 0..60 {
        let [layers, hidden, sequence, vocabulary] =
            [5, 6, 40, 30].map(|most| 1 + draws.below(most) as i64);
        let experts = if trial % 3 == 0 {
            1
        } else {
            1 + draws.below(6) as i64
        };
        let chosen = 1 + draws.below(experts as u64) as i64;
        let text = format!(
            "import \"std/transformer\" as s with (layers = {layers}, hidden = {hidden}, heads = 1, \
             sequence = {sequence}, vocabulary = {vocabulary}, batch = 1, t = 1, experts = {experts}, chosen = {chosen})
             numeric weights = s.parameters
             numeric flop = s.flop"
        );
        let (mut weights, mut used) = (0, 0);
        for _ in 0..layers {
            // Queries, keys, values and the projection; then two matrices in each expert.
            let attention = 4 * hidden * hidden;
            let expert = 2 * (hidden * 4 * hidden);
            weights += attention + (0..experts).map(|_| expert).sum::<i64>();
            // Scores, and what they weigh: the token with all others.
            used += attention + (0..chosen).map(|_| expert).sum::<i64>() + 2 * sequence * hidden;
        }
        weights += vocabulary * hidden;
        used += vocabulary * hidden;
        let model = compiled(&text, &["weights", "flop"]);
        assert_near(value(&model, "weights", &[]), weights as f64, &text);
        assert_near(value(&model, "flop", &[]), (3 * 2 * used) as f64, &text);
    }
}

/// Each expert gets its share of the tokens that are sent to all chosen ones: as many layers, each of these tokens.
#[test]
fn experts_compute_what_is_sent_to_them() {
    let of = |experts: i64, chosen: i64, batch: i64| {
        let text = format!(
            "import \"std/transformer\" as s with (layers = 1, hidden = 4096, heads = 32, batch = {batch}, \
             experts = {experts}, chosen = {chosen})
             numeric x = s.feed_forward"
        );
        value(&compiled(&text, &["x"]), "x", &[]).unwrap_or(f64::NAN)
    };
    for (experts, chosen, batch, share) in [(1, 1, 3, 3), (4, 1, 8, 2), (8, 2, 8, 2), (2, 2, 5, 5)]
    {
        let alone = of(1, 1, share);
        let expected: f64 = (0..experts).map(|_| alone).sum();
        let what = format!("{experts} experts, {chosen} chosen");
        assert_near(Some(of(experts, chosen, batch)), expected, &what);
    }
}

#[test]
fn sharded_steps_are_the_sums_of_their_passes() {
    let mut draws = Draws(2);
    for trial in 0..100 {
        let mut number = |most: u64| draws.below(most + 1) as i64;
        let [layers, hidden, sequence] = [3, 4, 50].map(|most| 1 + number(most));
        let (weights, tokens, passes) = (1 + number(90), 1 + number(60), 1 + number(4));
        let again = trial % 2;
        let k: [i64; 5] = std::array::from_fn(|_| number(3));
        let text = format!(
            "import \"std/training\" as t with (weights = {weights} [weight], layers = {layers} [layer], \
             hidden = {hidden} [number/layer/token], sequence = {sequence} [token], tokens = {tokens} [token], \
             passes = {passes}, again = {again}, peak = 1000 [FLOP/s], \
             constants = t.sharding({}, {}, {} [ns/weight], {} [ms/layer], {} [ns/number]))
             numeric x = t.step",
            k[0], k[1], k[2], k[3], k[4]
        );
        // Forward, backward twice, and forward again where activations are not kept: two operations for each product.
        let directions = 1 + 2 + again;
        let [mut products, mut attention, mut moved, mut launched] = [0.0; 4];
        for _ in 0..directions {
            products += (2 * weights * tokens) as f64 / 1e3;
            attention += (2 * layers * hidden * sequence * tokens) as f64 / 1e3;
        }
        for _ in 0..passes {
            moved += weights as f64 * 1e-9;
            launched += layers as f64 * 1e-3;
        }
        let between = (layers * hidden * tokens) as f64 * 1e-9;
        let terms = [products, attention, moved, launched, between];
        let expected: f64 = terms.iter().zip(k).map(|(term, k)| term * k as f64).sum();
        assert_near(value(&compiled(&text, &["x"]), "x", &[]), expected, &text);
    }
}
