use super::{model, shape};
use crate::syntax::tree::{
    Composition, Equation, Guard, Item, Model, ParameterFact, Process, ProcessKind, Relation, Type,
    Value,
};
use crate::syntax::{NoFiles, parse_model, parse_rules};

fn equations(model: &Model) -> Vec<&Equation> {
    fn equation(item: &Item) -> Option<&Equation> {
        match item {
            Item::Equation(equation) => Some(equation),
            _ => None,
        }
    }
    model.items.iter().filter_map(equation).collect()
}

fn process(text: &str) -> Process {
    let model = model(&format!("process p = {text}"));
    match model.items.into_iter().next() {
        Some(Item::Equation(Equation {
            value: Some(Value::Process(process)),
            ..
        })) => process,
        other => panic!("{other:?}"),
    }
}

fn same(left: &str, right: &str) {
    assert_eq!(
        shape(&process(left)),
        shape(&process(right)),
        "{left}   {right}"
    );
}

fn is_error(text: &str) {
    assert!(parse_model("model.pam", text, &NoFiles).is_err(), "{text}");
}

#[test]
fn the_machine_repair_model_of_the_papers_is_read() {
    let model = model(
        "numeric parameter P           % # clients
         numeric t_l = 10              % local think time
         resource parameter fcfs(i)     % predefined FCFS array
         resource s = fcfs(0,1)         % s is FCFS type resource
         process main = par (p = 1, P)
             seq (i = 1, N) {
                 delay(t_l) ;
                 use(s, t_s)
             }",
    );
    let kinds: Vec<(Type, bool)> = equations(&model)
        .iter()
        .map(|equation| (equation.kind, equation.parameter))
        .collect();
    let expected = [
        (Type::Numeric, true),
        (Type::Numeric, false),
        (Type::Resource, true),
        (Type::Resource, false),
        (Type::Process, false),
    ];
    assert_eq!(kinds, expected);
}

#[test]
fn the_time_domain_model_of_the_thesis_is_read() {
    model(
        "numeric parameter P
numeric T_main = max(max (p = 1, P) {
    sum (i = 1, N) {
        (t1 + (ts / 1))
    }
}, max(sum (p = 1, P) {
    sum (i = 1, N) {
        ((ts / 1) * unitvec(0))
    }
}))
numeric law = max(max (p = 1, P) {
                        N * moments(10.1,100.01,2,9)
                        }, (P * N * (moments(0.1,0.01,2,9))))",
    );
}

#[test]
fn the_sorting_model_of_figure_6_1_is_read_with_its_braces_mended() {
    let model = model(
        "numeric parameter N                                % array length
numeric c1 = moments(5e-3, 2e+0, 4e+0, 2e+1)       % profiled for # runs
resource cpu(p) = fcfs(p,1)                         % the P CPUs
process main = { par (p=0, P-1) {                     % sort1:
    sort(p*N/P, (p+1)*N/P-1, p, c1) ;               % sort subarray
    seq (i=0, P-1)                                  % collect samples
        move(p)
    } ;
    sort(0, P*P-1, 0, c2) ;                          % sort samples
    seq (i=0, P-2) {                                 % choose pivots
        move(0)
    } ;
    par (p=0, P-1) {                                  % disjoint:
        seq (i=0, P-1) {
            seq (j=0, (N-N/P)/(P*P)-1) {
                flop(p) ;
                move(p)
            }
        }
    }
}
process sort(lb,ub,p,c) = seq (i=lb+1, ub) {         % sort
    seq (j=lb, i-1) {
        if (c)
            flop(p)
    } ;
    move(p)                                           % swap
}
process flop(p) = use(cpu(p),tf)                     % computation",
    );
    let sort = equations(&model)[4];
    assert_eq!(sort.formals.len(), 4);
    let main = &equations(&model)[3].value;
    assert!(
        matches!(main, Some(Value::Process(Process { kind: ProcessKind::Sequence(steps), .. })) if steps.len() == 4)
    );
}

#[test]
fn a_semicolon_binds_weaker_than_parallel_composition() {
    same("a || b ; c <> d ; e", "{ a || b } ; { c <> d } ; e");
    let ProcessKind::Sequence(steps) = process("a || b ; c <> d ; e").kind else {
        panic!()
    };
    assert_eq!(steps.len(), 3);
}

#[test]
fn mixing_parallel_and_or_parallel_needs_braces() {
    is_error("process p = a || b <> c");
    is_error("process p = a <> b || c");
    process("{ a || b } <> c");
    process("a || b ; c <> d");
}

#[test]
fn a_prefix_form_takes_the_next_primary() {
    same("seq (i = 1, N) a ; b", "{ seq (i = 1, N) { a } } ; b");
    same("par (i = 1, N) a || b", "{ par (i = 1, N) { a } } || b");
    same("if (c) a ; b", "{ if (c) { a } } ; b");
    same(
        "par (i = 1, N) seq (j = 1, M) if (c) a else b ; d",
        "{ par (i = 1, N) { seq (j = 1, M) { if (c) a else b } } } ; d",
    );
}

#[test]
fn an_else_belongs_to_the_nearest_if() {
    same("if (a) if (b) x else y", "if (a) { if (b) x else y }");
}

#[test]
fn a_semicolon_may_stand_before_a_closing_brace() {
    same("{ a ; b ; }", "{ a ; b }");
    is_error("process p = { a ;; b }");
    is_error("process p = { ; }");
    is_error("process p = a ; b ;");
}

#[test]
fn a_quorum_is_a_number_of_branches() {
    let ProcessKind::Replicate(any) = process("any (k of i = 1, N) a").kind else {
        panic!()
    };
    assert_eq!(any.kind, Composition::Any);
    assert!(any.range.quorum.is_some());
    let ProcessKind::Replicate(any) = process("any (i = 1, N) a").kind else {
        panic!()
    };
    assert!(any.range.quorum.is_none());
    is_error("process p = par (k of i = 1, N) a");
}

#[test]
fn a_switch_of_processes_has_weighted_arms() {
    let ProcessKind::Switch(arms) = process("switch { 1/2: a ; b, p || q: c }").kind else {
        panic!()
    };
    assert!(matches!(arms[0].1.kind, ProcessKind::Sequence(_)));
    assert_eq!(arms.len(), 2);
}

#[test]
fn parameters_may_declare_facts_and_values() {
    let model = model(
        "numeric parameter P : integer >= 1 <= 2 * 4096 = 16\nnumeric parameter X : law\n\
         numeric parameter q : > 0 < 1 = 1 / 2",
    );
    let [p, x, q] = equations(&model)[..] else {
        panic!()
    };
    use ParameterFact::{Bound, Integer, Law};
    use Relation::{Greater, GreaterEqual, Less, LessEqual};
    assert!(matches!(
        p.facts[..],
        [Integer(_), Bound(GreaterEqual, _), Bound(LessEqual, _)]
    ));
    assert!(matches!(q.facts[..], [Bound(Greater, _), Bound(Less, _)]));
    assert!(q.value.is_some());
    assert!(p.value.is_some());
    assert!(matches!(x.facts[..], [Law(_)]));
    assert!(x.value.is_none());
}

#[test]
fn a_comment_at_the_end_of_an_equation_is_kept() {
    let model = model(
        "% of the file\nnumeric parameter P : integer >= 1   % processors \nnumeric parameter t = 3 % \n\
         % of the next\nnumeric parameter N numeric f = N *\n  P%  the work, 100 % of it",
    );
    let comments = equations(&model)
        .into_iter()
        .map(|equation| equation.comment.as_deref());
    let expected = [
        Some("processors"),
        None,
        None,
        Some("the work, 100 % of it"),
    ];
    assert_eq!(comments.collect::<Vec<_>>(), expected);
}

#[test]
fn words_of_facts_and_rules_are_names_elsewhere() {
    model("numeric law = integer(x) + when + rule + builtin + notin");
}

#[test]
fn assumptions_are_relations() {
    let model = model("assume N mod P == 0, N >= P\nnumeric parameter N");
    assert!(matches!(&model.items[0], Item::Assume(relations) if relations.len() == 2));
}

/// `assert` begins a claim behind a finished item only, and is a name elsewhere.
#[test]
fn assertions_are_claims_with_conditions() {
    let text = "numeric x = y assert x > 0 && y < 2 when N >= 1, 2";
    assert!(crate::syntax::parse_model("m", text, &crate::syntax::NoFiles).is_err());
    let read =
        model("numeric x = y\nassert x > 0 && y < 2 when N >= 1\nassert -x < 1 assert (x) < 1");
    let claims = read.items.iter().filter_map(|item| match item {
        Item::Assert(own) => Some(own.to_string()),
        _ => None,
    });
    let claims: Vec<String> = claims.collect();
    assert_eq!(claims, ["x > 0 && y < 2 when N >= 1", "-x < 1", "x < 1"]);
    for text in [
        "numeric assert = 2 numeric x = assert * assert + 1",
        "numeric parameter assert : integer >= 1 numeric f(assert) = (assert) - assert",
        "process assert(n) = delay(n) process main = if (1 < 2) assert (1) else { assert(2) } ; assert(3)",
        "process main = graph { assert (i = 1, 3): delay(i) after assert(i - 1) } as assert",
        "numeric x = sum (assert = 1, 3) { assert } / max(assert, 1)",
    ] {
        let read = model(text);
        assert!(
            !read
                .items
                .iter()
                .any(|item| matches!(item, Item::Assert(_))),
            "{text}"
        );
    }
}

#[test]
fn an_empty_model_has_no_items() {
    assert!(model("").items.is_empty());
    assert!(
        model(" % a comment without an end of line")
            .items
            .is_empty()
    );
    assert!(model("\u{feff}\r\n").items.is_empty());
}

#[test]
fn equations_need_no_line_of_their_own() {
    assert_eq!(
        model("numeric a = 1 numeric b = 2 process c = d")
            .items
            .len(),
        3
    );
}

const RULES: &str = r#"% sums
rule sum-const "An index-free term is
  multiplied by the number of iterations."
  sum (i = a, b) { c } => (b - a + 1) * c
  when   i notin c, i notin a
  assume b >= a - 1, integer(b - a)
builtin max-rule "Doc." max (i = a, b) { i } => if (b >= a) b else 0
rule bracket "A comparison." (i <= k) * x => x assume i <= k when k notin x
"#;

#[test]
fn rules_are_read_with_guards_in_any_order() {
    let Ok((file, _)) = parse_rules("sums.rules", RULES) else {
        panic!()
    };
    let [sum, max, bracket] = &file.rules[..] else {
        panic!()
    };
    assert_eq!((sum.name.text.as_str(), sum.builtin), ("sum-const", false));
    assert_eq!(
        (max.name.text.as_str(), max.builtin, max.doc.as_str()),
        ("max-rule", true, "Doc.")
    );
    assert_eq!((sum.when.len(), sum.assume.len()), (2, 2));
    assert!(matches!(&sum.when[0], Guard::NotIn(index, _) if index.text == "i"));
    assert_eq!((bracket.when.len(), bracket.assume.len()), (1, 1));
}

#[test]
fn printed_rules_read_back() {
    let Ok((file, _)) = parse_rules("sums.rules", RULES) else {
        panic!()
    };
    let printed: String = file
        .rules
        .iter()
        .map(|rule| format!("{rule}\n\n"))
        .collect();
    let Ok((again, _)) = parse_rules("printed.rules", &printed) else {
        panic!("{printed}")
    };
    assert_eq!(shape(&file), shape(&again), "{printed}");
}

#[test]
fn a_wrong_rule_hides_no_other() {
    let text = "rule a \"A.\" x => \nrule b \"B.\" x y\nrule c \"C.\" x => y";
    let Err(error) = parse_rules("wrong.rules", text) else {
        panic!()
    };
    assert_eq!(error.diagnostics.len(), 2, "{error}");
}
