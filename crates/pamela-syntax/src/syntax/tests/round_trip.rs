use proptest::prelude::*;

use super::{expression, model, shape};
use crate::diagnostic::Span;
use crate::ring::Rational;
use crate::syntax::tree::*;

#[test]
fn no_brackets_are_printed_without_need() {
    for text in [
        "a + b * c - -d^2",
        "(a + b) * (c - d) / e mod f",
        "a - (b - c) - (d + e)",
        "(a^b)^c",
        "(-a)^b",
        "-(a * b) + !(c || d) && e < f + 1 || g",
        "(a < b) == (c < d)",
        "if (c) a + b else if (d) e else f + 1",
        "1 + (if (c) a else b)",
        "sum (i = 1, N) { max (j = i, M + 1) { f(i, j) } } * 2",
        "kth (k of i = 1, N) { x(i) }",
        "switch { 1 / 4: a, 3 / 4: b }",
        "[1, 2.5, unitvec(3)] * 10.1",
        "empirical(\"a.csv\", 2)",
    ] {
        assert_eq!(expression(text).to_string(), text);
    }
}

#[test]
fn a_printed_model_reads_like_one_of_the_papers() {
    let text = "numeric parameter P : integer >= 1 <= 4096
numeric parameter X : law
numeric t(i) = 10 * i
assume N mod P == 0, N >= P
resource cpu(p) = fcfs(p, 1)

process main =
    par (p = 1, P) seq (i = 1, N) {
        delay(t(i));
        use(cpu(p), 0.1)
    };
    a || {
        b;
        c
    };
    any (k of i = 1, 3) {
        if (c) {
            if (d) a
        } else if (e) b else {
            a <> b
        }
    };
    switch {
        1 / 2: a,
        1 / 2: {
            b;
            c
        }
    }

numeric x = 1
";
    assert_eq!(model(text).to_string(), text);
}

fn name() -> impl Strategy<Value = Name> {
    "[a-e][0-9]?".prop_map(|text| Name {
        text,
        span: Span::default(),
    })
}

fn expr(kind: ExprKind) -> Expr {
    Expr {
        kind,
        span: Span::default(),
    }
}

fn number() -> impl Strategy<Value = ExprKind> {
    let decimal = (0_i64..100_000, 0_u32..5)
        .prop_map(|(digits, places)| Rational::new(digits, 10_i64.pow(places)));
    decimal.prop_map(|value| ExprKind::Number(value.unwrap_or_default()))
}

fn range(value: BoxedStrategy<Expr>, ranked: bool) -> impl Strategy<Value = Range> {
    let quorum = if ranked {
        value.clone().prop_map(Some).boxed()
    } else {
        Just(None).boxed()
    };
    let step = prop::option::of(value.clone());
    (quorum, name(), value.clone(), value, step).prop_map(|(quorum, index, lower, upper, step)| {
        Range {
            quorum,
            index,
            lower,
            upper,
            step,
        }
    })
}

fn reduction(value: BoxedStrategy<Expr>) -> impl Strategy<Value = ExprKind> {
    use ReduceKind::{Kth, Max, Min, Product, Sum};
    let kind = prop::sample::select(vec![Sum, Product, Max, Min, Kth]);
    kind.prop_flat_map(move |kind| {
        (range(value.clone(), kind == Kth), value.clone()).prop_map(move |(range, body)| {
            ExprKind::Reduce(Box::new(Reduction { kind, range, body }))
        })
    })
}

fn index_ranges(value: BoxedStrategy<Expr>) -> impl Strategy<Value = Vec<Range>> {
    let one = range(value, false).prop_map(|range| Range {
        step: None,
        ..range
    });
    prop::collection::vec(one, 0..3)
}

/// `graph (w in "file") task`
fn recorded<T: std::fmt::Debug + Clone + 'static>(
    value: BoxedStrategy<Expr>,
    task: BoxedStrategy<T>,
) -> impl Strategy<Value = Box<Graph<T>>> {
    let tracks = prop::sample::select(vec![None, Some(Tracks::Order), Some(Tracks::Free)]);
    let files = prop::collection::vec(name(), 1..3);
    let parts = (name(), files, prop::option::of(value), tracks, task);
    parts.prop_map(|(time, files, default, tracks, task)| {
        let family = Family {
            label: time.clone(),
            ranges: Vec::new(),
            task,
            after: Vec::new(),
        };
        Box::new(Graph {
            families: vec![family],
            recorded: Some(Recorded {
                time,
                files,
                default,
                tracks,
            }),
        })
    })
}

fn graph<T: std::fmt::Debug + Clone + 'static>(
    value: BoxedStrategy<Expr>,
    task: BoxedStrategy<T>,
) -> impl Strategy<Value = Box<Graph<T>>> {
    let (values, tasks) = (value.clone(), task.clone());
    let arguments = prop::collection::vec(value.clone(), 0..3);
    let reference = (
        name(),
        prop::option::of(arguments),
        index_ranges(value.clone()),
        prop::option::of(value.clone()),
    );
    let reference = reference.prop_map(|(label, arguments, ranges, condition)| Reference {
        label,
        arguments,
        ranges,
        condition,
    });
    let family = (
        name(),
        index_ranges(value),
        task,
        prop::collection::vec(reference, 0..3),
    );
    let family = family.prop_map(|(label, ranges, task, after)| Family {
        label,
        ranges,
        task,
        after,
    });
    let families = prop::collection::vec(family, 1..3).prop_map(|families| {
        Box::new(Graph {
            families,
            recorded: None,
        })
    });
    prop_oneof![3 => families, 1 => recorded(values, tasks)]
}

/// A first power that is not below 0 needs no `1/`.
fn quantities() -> impl Strategy<Value = Quantity> {
    let part = (name(), prop::sample::select(vec![-2, -1, 1, 3]));
    let parts = prop::collection::vec(part, 0..3);
    let parts = parts.prop_map(|parts| {
        let part = |(name, power)| UnitPart { name, power };
        parts.into_iter().map(part).collect()
    });
    (0i64..1000, parts).prop_map(|(number, parts)| Quantity {
        number: Rational::from(number),
        unit: Unit {
            parts,
            span: Span::default(),
            meaning: None,
        },
    })
}

fn expressions() -> BoxedStrategy<Expr> {
    use AddOp::{Add, Subtract};
    use MulOp::{Divide, FloorDivide, Modulo, Multiply};
    use Relation::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    let leaf = prop_oneof![
        number(),
        name().prop_map(|name| ExprKind::Name(name.text)),
        "[ -!#-~]{0,5}".prop_map(ExprKind::Text),
        quantities().prop_map(|quantity| ExprKind::Quantity(Box::new(quantity))),
    ];
    leaf.prop_map(expr)
        .prop_recursive(5, 40, 4, |value| {
            let value = value.boxed();
            let one = || value.clone().prop_map(Box::new);
            let several = |least| prop::collection::vec(value.clone(), least..4);
            let terms = (prop::sample::select(vec![Add, Subtract]), value.clone());
            let factors = (
                prop::sample::select(vec![Multiply, Divide, Modulo, FloorDivide]),
                value.clone(),
            );
            let relations = vec![Less, LessEqual, Greater, GreaterEqual, Equal, NotEqual];
            prop_oneof![
                (name(), several(0)).prop_map(|(name, arguments)| ExprKind::Call(name, arguments)),
                one().prop_map(ExprKind::Negate),
                one().prop_map(ExprKind::Not),
                (one(), prop::collection::vec(terms, 1..4))
                    .prop_map(|(first, rest)| ExprKind::Sum(first, rest)),
                (one(), prop::collection::vec(factors, 1..4))
                    .prop_map(|(first, rest)| ExprKind::Product(first, rest)),
                (one(), one()).prop_map(|(base, exponent)| ExprKind::Power(base, exponent)),
                (prop::sample::select(relations), one(), one())
                    .prop_map(|(relation, left, right)| ExprKind::Compare(relation, left, right)),
                several(2).prop_map(ExprKind::And),
                several(2).prop_map(ExprKind::Or),
                (one(), one(), one()).prop_map(|(c, a, b)| ExprKind::If(c, a, b)),
                prop::collection::vec((value.clone(), value.clone()), 1..4)
                    .prop_map(ExprKind::Switch),
                reduction(value.clone()),
                graph(value.clone(), value.clone()).prop_map(ExprKind::Graph),
                several(1).prop_map(ExprKind::Vector),
            ]
            .prop_map(expr)
        })
        .boxed()
}

fn process_of(kind: ProcessKind) -> Process {
    Process {
        label: None,
        kind,
        span: Span::default(),
    }
}

fn processes() -> BoxedStrategy<Process> {
    let leaf = prop_oneof![
        expressions().prop_map(ProcessKind::Delay),
        (expressions(), expressions())
            .prop_map(|(resource, time)| ProcessKind::Use(resource, time)),
        (name(), prop::collection::vec(expressions(), 0..3))
            .prop_map(|(name, arguments)| ProcessKind::Call(name, arguments)),
    ];
    leaf.prop_map(process_of)
        .prop_recursive(5, 30, 3, |process| {
            let process = process.boxed();
            let one = || process.clone().prop_map(Box::new);
            let several = || prop::collection::vec(process.clone(), 2..4);
            let replicated = |kind, ranked| {
                (range(expressions(), ranked), process.clone()).prop_map(move |(range, body)| {
                    ProcessKind::Replicate(Box::new(Replication { kind, range, body }))
                })
            };
            prop_oneof![
                several().prop_map(ProcessKind::Sequence),
                several().prop_map(ProcessKind::Parallel),
                several().prop_map(ProcessKind::Any),
                graph(expressions(), process.clone()).prop_map(ProcessKind::Graph),
                replicated(Composition::Sequence, false),
                replicated(Composition::Parallel, false),
                replicated(Composition::Any, false),
                replicated(Composition::Any, true),
                (expressions(), one())
                    .prop_map(|(resource, body)| ProcessKind::Hold(resource, body)),
                (expressions(), one(), prop::option::of(one()))
                    .prop_map(|(c, a, b)| ProcessKind::If(c, a, b)),
                prop::collection::vec((expressions(), process.clone()), 1..4)
                    .prop_map(ProcessKind::Switch),
            ]
            .prop_map(process_of)
        })
        .boxed()
}

fn bounds() -> impl Strategy<Value = Relation> {
    prop_oneof![
        Just(Relation::GreaterEqual),
        Just(Relation::LessEqual),
        Just(Relation::Greater),
        Just(Relation::Less),
    ]
}

fn facts() -> impl Strategy<Value = Vec<ParameterFact>> {
    let fact = prop_oneof![
        Just(ParameterFact::Integer(Span::default())),
        Just(ParameterFact::Law(Span::default())),
        (bounds(), expressions()).prop_map(|(relation, e)| ParameterFact::Bound(relation, e)),
        (any::<bool>(), prop::collection::vec(name(), 0..3)).prop_map(|(rises, formals)| {
            let direction = if rises {
                Direction::Increasing
            } else {
                Direction::Decreasing
            };
            let span = Span::default();
            ParameterFact::Monotone(Monotone {
                direction,
                formals,
                span,
            })
        }),
    ];
    prop::collection::vec(fact, 0..3)
}

fn models() -> impl Strategy<Value = Model> {
    let resource = (
        name(),
        prop::option::of(prop::collection::vec(expressions(), 0..3)),
    )
        .prop_map(|(name, arguments)| match arguments {
            Some(arguments) => expr(ExprKind::Call(name, arguments)),
            None => expr(ExprKind::Name(name.text)),
        });
    let value = prop_oneof![
        expressions().prop_map(|value| (Type::Numeric, Some(Value::Numeric(value)))),
        processes().prop_map(|value| (Type::Process, Some(Value::Process(value)))),
        resource.prop_map(|value| (Type::Resource, Some(Value::Resource(value)))),
        Just((Type::Numeric, None)),
    ];
    let equation = (
        value,
        any::<bool>(),
        name(),
        prop::collection::vec(name(), 0..3),
        facts(),
    );
    let item = prop_oneof![
        4 => equation.prop_map(|((kind, value), parameter, name, formals, facts)| {
            Item::Equation(Equation { kind, parameter, kept: false, name, formals, defaults: Vec::new(), formal_units: Box::default(), facts, value, comment: None, auxiliary: false, span: Span::default() })
        }),
        1 => prop::collection::vec(expressions(), 1..3).prop_map(Item::Assume),
        1 => (expressions(), prop::option::of(expressions())).prop_map(|(claim, when)| {
            Item::Assert(Assertion { claim, when, span: Span::default() })
        }),
    ];
    prop::collection::vec(item, 0..4).prop_map(Model::of)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_printed_expression_reads_back(tree in expressions()) {
        let text = tree.to_string();
        let again = expression(&text);
        prop_assert_eq!(shape(&tree), shape(&again), "{}", text);
        prop_assert_eq!(again.to_string(), text);
    }

    #[test]
    fn a_printed_model_reads_back(tree in models()) {
        let text = tree.to_string();
        let again = model(&text);
        prop_assert_eq!(shape(&tree), shape(&again), "{}", text);
        prop_assert_eq!(again.to_string(), text);
    }

    #[test]
    fn no_text_of_the_alphabet_makes_the_reader_panic(
        words in prop::collection::vec(prop::sample::select(WORDS.to_vec()), 0..40)
    ) {
        let text = words.join(" ");
        for result in [super::parse_model("model.pam", &text, &super::NoFiles).err(), super::parse_expression("e", &text).err()] {
            prop_assert!(result.is_none_or(|error| !error.to_string().is_empty()));
        }
    }
}

const WORDS: [&str; 52] = [
    "numeric",
    "process",
    "resource",
    "parameter",
    "assume",
    "include",
    "seq",
    "par",
    "any",
    "if",
    "else",
    "switch",
    "delay",
    "use",
    "of",
    "sum",
    "kth",
    "graph",
    "after",
    "for",
    "a (i = 1, 2; j = i, 3): ",
    "max",
    "mod",
    "div",
    "a",
    "b",
    "(i = 1, 2)",
    "1",
    "2.5",
    "\"t\"",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "+",
    "-",
    "*",
    "^",
    "!",
    "<",
    "<=",
    "==",
    "=",
    "&&",
    "||",
    "<>",
    ";",
    ",",
    ":",
    "é",
];

#[test]
fn imports_defaults_and_named_arguments_are_printed_as_they_are_read() {
    let text = "import \"std/pool\"
import \"pool.pam\" as fast with (size = 8, t = pool.t * 2)
from \"pool\" import visit, cost with (t = 1)
numeric f(a, b = 2 * a, c = pool.size) = a + b + c
numeric x = f(1, c = fast.cost(2)) + pool.deep.size
process main(r, n = 1) = use(fast.server, n) || fast.visit(r, y = 2)
numeric import = 1
numeric from = import
numeric f2(as, with = as) = from + with
";
    let files: std::collections::HashMap<String, String> = ["std/pool.pam", "pool.pam"]
        .map(|name| (name.to_owned(), String::new()))
        .into();
    let read = |text: &str| {
        let read = crate::syntax::parse_model("model.pam", text, &files);
        read.unwrap_or_else(|error| panic!("{error}")).0
    };
    let first = read(text);
    assert_eq!(first.to_string(), text);
    assert_eq!(shape(&read(&first.to_string())), shape(&first));
}
