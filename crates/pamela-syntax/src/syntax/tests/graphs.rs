//! Graphs of tasks.

use super::{errors, expression, model, shape};
use crate::syntax::tree::{ExprKind, Item, ProcessKind, Value};

const CHOLESKY: &str = "process main = graph {
    p (j = 0, k - 1): delay(tp) after s(j - 1, j);
    t (j = 0, k - 1; i = j + 1, k - 1): use(cpu, tt) after p(j), g(j - 1, i, j);
    z: {
        delay(1);
        delay(2)
    } after t(j, i) for (j = 0, k - 1; i = j + 1, k - 1) if (i mod 2 == 0), p
}
";

#[test]
fn a_graph_reads_back_as_it_is_printed() {
    let tree = model(CHOLESKY);
    assert_eq!(tree.to_string(), CHOLESKY);
    let Item::Equation(equation) = &tree.items[0] else {
        panic!("{tree:?}");
    };
    let Some(Value::Process(process)) = &equation.value else {
        panic!("{equation:?}");
    };
    let ProcessKind::Graph(graph) = &process.kind else {
        panic!("{process:?}");
    };
    let sizes: Vec<_> = graph
        .families
        .iter()
        .map(|f| (f.ranges.len(), f.after.len()))
        .collect();
    assert_eq!(sizes, [(1, 1), (2, 2), (0, 2)]);
    let [all, whole] = &graph.families[2].after[..] else {
        panic!("{graph:?}");
    };
    assert_eq!((all.ranges.len(), all.condition.is_some()), (2, true));
    assert!(whole.arguments.is_none());
}

#[test]
fn recorded_graphs_read_back_as_they_are_printed() {
    let text = "process main = graph (w in \"a.csv\", \"b.csv\", default = 2 * x, tracks = free) use(cpu, w)

process long = graph (w in \"a.csv\") {
    delay(w);
    delay(o)
}
";
    assert_eq!(model(text).to_string(), text);
    let sum = "1 + graph (w in \"a.csv\", tracks = order) { w + o } * 2";
    assert_eq!(expression(sum).to_string(), sum);
    model("process in = delay(default) process main = in ; graph(tracks) ; delay(free + order)");
}

#[test]
fn a_graph_of_numbers_is_an_operand() {
    let text = "2 * graph { a (i = 1, n): if (i < 2) x else y after a(i - 1); b: 1 after a } + 1";
    let tree = expression(text);
    assert_eq!(tree.to_string(), text);
    let last = "graph { a: 1; }";
    assert_eq!(
        shape(&expression(last)),
        shape(&expression("graph { a: 1 }"))
    );
    assert!(matches!(expression(last).kind, ExprKind::Graph(_)));
}

#[test]
fn the_words_of_graphs_are_names_elsewhere() {
    let text = "numeric graph = 3
numeric after = graph + 1
numeric for = after * 2

process graph2 = delay(graph);
"
    .replace(";\n", "\n");
    assert_eq!(
        model(&text).to_string().replace("\n\n", "\n"),
        text.replace("\n\n", "\n")
    );
    model("process graph(n) = delay(n) process main = graph(3) ; { graph(2) || delay(1) }");
    model("process graph = delay(1) process main = graph ; delay(1)");
}

#[test]
fn slips_in_graphs_are_explained() {
    insta::assert_snapshot!(errors(
        "process a = graph { }
process b = graph { f (i = 1 n): delay(1) }
process c = graph { f (i = 1, n) delay(1) }
process d = graph { f: delay(1) after }
process e = graph { f: delay(1) after g(1 }
process f = graph { f: delay(1) g: delay(2) }
process g = graph { f: delay(1) after g for i }
process h = graph { f (i = 1, n, 2): delay(1) }
process i = graph { f: delay(1) after g if i > 1 }
process j = graph { f: delay(1), g: delay(2) }
process k = graph (w of \"a.csv\") delay(w)
process l = graph (w in a.csv) delay(w)
process m = graph (w in \"a.csv\", standard = 2) delay(w)
process n = graph (w in \"a.csv\", tracks = yes) delay(w)
process o = graph (w in \"a.csv\")
process p = graph { f (i = 1, n, j = 1, m): delay(1) }
process q = graph { f (i = 1, n) (j = 1, m): delay(1) }"
    ));
}
