//! The models whose emitted code is run, and the points at which it is.

use super::driver::{COUNTS, Cache, Model, POINTS};

/// For what takes loops by the definition.
const SMALL: &[f64] = &[-1.0, 0.0, 1.0, 2.0, 3.0, 5.0, 8.0, 12.0];
/// Dyadic, so that doubles are the decimals that they stand for.
const TIMES: &[f64] = &[-0.5, 0.0, 0.125, 0.5, 1.0, 10.0, 12.75];

pub static MODELS: [Model; 11] = [
    Model {
        name: "mrm",
        text: "corpus/papers/mrm.pam",
        parameters: &[("P", COUNTS), ("N", COUNTS), ("tl", TIMES), ("ts", TIMES)],
        special: false,
        large: false,
        points: POINTS,
        known: Cache::new(),
    },
    Model {
        name: "psrs",
        text: "corpus/papers/psrs.pam",
        parameters: &[
            ("N", &[0.0, 1.0, 6.0, 12.0, 24.0, 48.0]),
            ("P", &[0.0, 1.0, 1.0, 2.0, 2.0, 3.0, 4.0]),
            ("tf", &[-0.5, 0.0, 0.125, 1.0, 12.75]),
            ("tm", &[0.0, 0.125, 1.0]),
            ("c1", &[0.0, 0.25, 0.5, 1.0, 2.0]),
            ("c2", &[0.5, 1.0]),
            ("c3", &[0.0, 0.5]),
        ],
        special: false,
        large: false,
        points: POINTS,
        known: Cache::new(),
    },
    Model {
        name: "gauss",
        text: "corpus/codes/gauss_block.pam",
        parameters: &[("P", SMALL), ("N", SMALL), ("B", SMALL)],
        special: false,
        large: false,
        points: POINTS,
        known: Cache::new(),
    },
    Model {
        name: "gauss_cyclic",
        text: "corpus/codes/gauss_cyclic.pam",
        parameters: &[("P", SMALL), ("N", SMALL), ("B", SMALL)],
        special: false,
        large: false,
        points: POINTS,
        known: Cache::new(),
    },
    Model {
        name: "operators",
        text: "
numeric parameter P : integer >= 1
numeric parameter N : integer
numeric parameter x
numeric plain = max(N * (10 + x), P * N * 0.1, x^2 - 2 * x) + N / P + min(x, 3)
numeric steps = floor(N / 3) + ceil(N / P) + N mod P + (N div P) * 7 + floor(N / 10 + P / 5)
numeric decimals = floor((N + x) / 7) + 10.1 * N - x / 3
numeric powers = x^7 + 2^P + abs(x)^(5 / 2) + sqrt(abs(x) + 1) + exp(x / 9) + x^N
numeric brackets = (x > 1) * N + (N == P) * 3 + (x != 0) * P + if (N > P) x else P
numeric shared = (x + N / 7)^2 * (x + N / 7 + 1) + max(x + N / 7, 2) / (1 + abs(x + N / 7))
numeric partial = 1 / x + log(x)
numeric lazy = if (x != 0) P / x else N
numeric hidden = min(1 / x, 3) + (1 / x > 2) + exp(-1 / abs(x))
numeric gamma = N + P
numeric lambda = gamma * 2
numeric three = [N, x + 1, 2 * N]
numeric pi = 4
",
        parameters: &[
            ("P", COUNTS),
            ("N", COUNTS),
            ("x", &[-3.5, -1.0, 0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 8.0]),
        ],
        special: false,
        large: false,
        points: POINTS,
        known: Cache::new(),
    },
    Model {
        name: "special",
        text: "
numeric parameter N : integer
numeric parameter x
numeric harmonics = H(N) + H(N, 2) + H(N, 5)
numeric factorial = fact(N) / 2^N
numeric gammas = lgamma(x)
",
        parameters: &[
            (
                "N",
                &[
                    -1.0, 0.0, 1.0, 2.0, 15.0, 16.0, 17.0, 18.0, 40.0, 100.0, 150.0, 1e6, 1e12,
                ],
            ),
            (
                "x",
                &[
                    -0.5, 0.0, 0.015625, 0.5, 1.0, 1.5, 2.0, 3.25, 11.5, 12.5, 30.0, 1000.5, 1e9,
                ],
            ),
        ],
        special: true,
        large: false,
        points: POINTS,
        known: Cache::new(),
    },
    Model {
        name: "divisors",
        text: "
numeric parameter N : integer
numeric parameter P : integer
numeric parameter x
numeric common = gcd(N, P) + gcd(2 * N, 3 * P) / 4
numeric broken = gcd(x, P)
",
        parameters: &[
            ("N", COUNTS),
            ("P", COUNTS),
            ("x", &[-6.0, -0.5, 0.0, 0.5, 4.0, 4096.0, 1e15]),
        ],
        special: true,
        large: false,
        points: POINTS,
        known: Cache::new(),
    },
    Model {
        name: "steps",
        text: "
numeric parameter N : integer >= 1
numeric parameter P : integer >= 1
numeric exact_tree = ceil(log2(P))
numeric exact_digits = floor(log(N, 10)) + 1
numeric exact_levels = floor(log(N, P + 1))
numeric exact_cube = floor(cbrt(N))
numeric exact_side = ceil(sqrt(N)) + floor(sqrt(P))
numeric exact_fifth = floor(N^(1 / 5)) + ceil(P^(2 / 3))
numeric exact_power_of_two = integer(log2(P)) + 2 * integer(cbrt(N)) + 4 * integer(sqrt(N))
numeric exact_order = (log2(P) <= 20) + 2 * (cbrt(N) == 100) + 4 * (sqrt(N) < 94906266) + 8 * (log(N, 10) >= 15)
numeric exact_blocks = ceil(N / P) + N mod P + (N div 7) + floor((7 * N + 3) / (P + 1))
numeric exact_multiple = (7 * N) mod (3 * P) + gcd(N, 6 * P)
numeric exact_decimals = floor(0.1 * N + 0.7 * P) + ceil(N / 3 - P / 7) + floor(2.5 * N / P)
numeric exact_nested = floor(3 * log2(P) / 2) + ceil(log2(ceil(N / P)))
numeric exact_mixed = floor(sqrt(N) * log2(P)) + floor(2 * cbrt(N) + P / 3)
numeric exact_crossed = (N / P <= P / N) + 2 * (N / 3 + P / 7 == P / 3 + N / 7) + 4 * (N * P < N + P)
numeric smooth = sqrt(N) * log2(P) + cbrt(N)
",
        parameters: &[],
        special: true,
        large: true,
        points: POINTS,
        known: Cache::new(),
    },
    Model {
        name: "roots_and_logarithms",
        text: "
numeric parameter N : integer >= 1
numeric parameter P : integer >= 1
numeric exact_tree = ceil(log2(P)) * 2 + floor(log(N, 10)) + integer(log2(N))
numeric exact_roots = floor(cbrt(N)) + ceil(sqrt(P)) + integer(cbrt(P))
numeric exact_order = (log2(P) <= 20) + 2 * (cbrt(N) == 100) + 4 * (sqrt(N) < 94906266)
numeric exact_blocks = ceil(N / P) + N mod P + (7 * N + 3) div (P + 1)
",
        parameters: &[],
        special: false,
        large: true,
        points: POINTS,
        known: Cache::new(),
    },
    Model {
        name: "choices",
        text: "
numeric parameter N : integer >= 1
numeric parameter k : integer >= 0
numeric exact_choose = floor(binom(N, k))
numeric choose = binom(N, k)
numeric ratio = fact(N) / fact(N - 1)
numeric exact_ratio = floor(fact(N + 2) / fact(N) / 3)
numeric gammas = lgamma(k + 1)
numeric harmonics = floor(H(N)) + (H(k + 1) >= 3 / 2)
",
        parameters: &[
            (
                "N",
                &[
                    1.0, 2.0, 5.0, 8.0, 20.0, 30.0, 64.0, 100.0, 170.0, 171.0, 180.0, 1000.0,
                ],
            ),
            ("k", &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 8.0, 20.0, 40.0, 171.0]),
        ],
        special: true,
        large: true,
        points: POINTS,
        known: Cache::new(),
    },
    Model {
        name: "moments",
        text: "corpus/papers/vector_scaling_stochastic.pam",
        parameters: &[
            ("n", COUNTS),
            ("p", &[-0.5, 0.0, 0.25, 0.5, 1.0, 2.0]),
            ("tau", TIMES),
        ],
        special: false,
        large: false,
        points: POINTS,
        known: Cache::new(),
    },
];
