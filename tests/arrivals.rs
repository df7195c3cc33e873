//! Requests that come one after the other: closed forms beside a schedule that is made here, request by request.

use pamela::compiled::{Compiled, Method, Point};
use pamela::eval::Value;
use pamela::ring::Rational;
use pamela::{Model, Options};

/// When request `i` of `n` comes, and how long it is served.
struct Shape {
    arrival: &'static str,
    service: &'static str,
    servers: &'static str,
    at: fn(i: i64, n: i64, u: Rational) -> Rational,
    takes: fn(i: i64, n: i64, s: Rational) -> Rational,
}

fn times(count: i64, value: Rational) -> Rational {
    Rational::from(count) * value
}

const SHAPES: [Shape; 9] = [
    Shape {
        arrival: "i * u",
        service: "s",
        servers: "1",
        at: |i, _, u| times(i, u),
        takes: |_, _, s| s,
    },
    Shape {
        arrival: "(i - 1) * u",
        service: "s",
        servers: "c",
        at: |i, _, u| times(i - 1, u),
        takes: |_, _, s| s,
    },
    Shape {
        arrival: "(n - i) * u",
        service: "s",
        servers: "c",
        at: |i, n, u| times(n - i, u),
        takes: |_, _, s| s,
    },
    Shape {
        arrival: "i ^ 2 * u",
        service: "s",
        servers: "2",
        at: |i, _, u| times(i * i, u),
        takes: |_, _, s| s,
    },
    Shape {
        arrival: "floor(i / 2) * u",
        service: "s",
        servers: "3",
        at: |i, _, u| times(i / 2, u),
        takes: |_, _, s| s,
    },
    Shape {
        arrival: "i * u",
        service: "i * s",
        servers: "1",
        at: |i, _, u| times(i, u),
        takes: |i, _, s| times(i, s),
    },
    Shape {
        arrival: "i * u",
        service: "(n + 1 - i) * s",
        servers: "1",
        at: |i, _, u| times(i, u),
        takes: |i, n, s| times(n + 1 - i, s),
    },
    Shape {
        arrival: "(n - i) * u",
        service: "i * s",
        servers: "1",
        at: |i, n, u| times(n - i, u),
        takes: |i, _, s| times(i, s),
    },
    Shape {
        arrival: "sum (j = 1, i) { j * u }",
        service: "s",
        servers: "c",
        at: |i, _, u| times(i * (i + 1) / 2, u),
        takes: |_, _, s| s,
    },
];

/// The end of the last request where each begins with the server that is free first, in the order of arrival.
fn last_end(requests: &mut [(Rational, Rational)], servers: usize) -> Rational {
    requests.sort();
    let mut free = vec![Rational::ZERO; servers];
    let mut last = Rational::ZERO;
    for (at, takes) in requests {
        free.sort();
        let begin = at.clone().max(free[0].clone());
        free[0] = &begin + &*takes;
        last = last.max(free[0].clone());
    }
    last
}

fn model(shape: &Shape) -> Compiled {
    let text = format!(
        "numeric parameter n : integer >= 0\nnumeric parameter c : integer >= 1\nnumeric parameter u : >= 0\n\
         numeric parameter s : >= 0\nnumeric parameter q : >= 0\nresource desk = servers({})\n\
         process main = par (i = 1, n) {{ delay({}) ; use(desk, {}) ; delay(q) }}\n",
        shape.servers, shape.arrival, shape.service
    );
    let model = Model::parse(&text).expect("the model is right");
    let options = Options {
        times: true,
        ..Options::default()
    };
    model.compile(&options).expect("it has closed forms")
}

#[test]
fn the_last_request_ends_when_a_schedule_says() {
    let quantities = [(0, 1), (1, 2), (1, 1), (3, 1)]
        .map(|(numerator, denominator)| Rational::new(numerator, denominator).expect("a number"));
    for shape in &SHAPES {
        let compiled = model(shape);
        let mut compared = 0;
        for (n, c) in (0..=7).flat_map(|n| (1..=3).map(move |c| (n, c))) {
            let servers = shape.servers.parse().unwrap_or(c as usize);
            for (u, s) in quantities
                .iter()
                .flat_map(|u| quantities.iter().map(move |s| (u, s)))
            {
                let q = &quantities[(n as usize + servers) % 3];
                let request =
                    |i: i64| ((shape.at)(i, n, u.clone()), (shape.takes)(i, n, s.clone()));
                let mut requests: Vec<_> = (1..=n).map(request).collect();
                let mut expected = last_end(&mut requests, servers);
                if n > 0 {
                    expected = &expected + q;
                }
                let point = Point::default()
                    .with("n", Rational::from(n))
                    .with("c", Rational::from(c))
                    .with("u", u.clone())
                    .with("s", s.clone())
                    .with("q", q.clone());
                let found = compiled.at(&point).expect("the facts hold");
                let time = found.equations.iter().find(|e| e.name == "time_main");
                let time = time.unwrap_or_else(|| {
                    panic!("{} at {} has no exact time", shape.service, shape.arrival)
                });
                let is_closed = time.method == Method::Closed;
                assert!(
                    is_closed || n == 0,
                    "{} at {}",
                    shape.service,
                    shape.arrival
                );
                let Value::Scalar(value) = &time.value else {
                    panic!("a number")
                };
                assert_eq!(
                    value.as_exact(),
                    Some(&expected),
                    "{} after {} at {} servers: n = {n}, u = {u}, s = {s}",
                    shape.service,
                    shape.arrival,
                    shape.servers
                );
                compared += 1;
            }
        }
        assert_eq!(compared, 8 * 3 * 16);
    }
}

/// Where requests may come in any order, or services differ on several servers, nothing is claimed.
#[test]
fn other_arrivals_have_no_exact_time_by_this_theorem() {
    for (servers, body) in [
        ("1", "{ delay((i - 2) ^ 2 * u) ; use(desk, s) }"),
        ("2", "{ delay(i * u) ; use(desk, i * s) }"),
        ("1", "{ delay(i * u) ; use(desk, s) ; delay(i * s) }"),
        ("1", "{ delay(i * u) ; use(desk, s) ; use(desk, s) }"),
    ] {
        let text = format!(
            "numeric parameter n : integer >= 1\nnumeric parameter u : >= 0\nnumeric parameter s : >= 0\n\
             resource desk = servers({servers})\nprocess main = par (i = 1, n) {body}\n"
        );
        let model = Model::parse(&text).expect("the model is right");
        let options = Options {
            times: true,
            ..Options::default()
        };
        let compiled = model.compile(&options).expect("it has closed forms");
        assert!(
            compiled.equations().iter().all(|e| e.name != "time_main"),
            "{body}"
        );
    }
}
