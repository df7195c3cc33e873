//! Families whose closed forms are known.

use super::affine::Affine;
use super::problem::{Family, Problem, Reference, Span};
use super::{Closed, Form, Variable, close};

fn v(variable: Variable) -> Affine {
    Affine::variable(variable)
}

fn c(constant: i64) -> Affine {
    Affine::constant(constant)
}

fn span(index: Variable, lower: Affine, upper: Affine) -> Span {
    Span {
        index,
        lower,
        upper,
    }
}

fn after(family: usize, arguments: Vec<Affine>) -> Reference {
    Reference {
        family,
        arguments: Some(arguments),
        ranges: Vec::new(),
        conditions: Vec::new(),
    }
}

fn wavefront() -> Problem {
    let (m, n, i, j) = (0, 1, 2, 3);
    Problem {
        sizes: vec![m, n],
        times: 1,
        next: 4,
        natural: Vec::new(),
        families: vec![Family {
            ranges: vec![span(i, c(1), v(m)), span(j, c(1), v(n))],
            weight: (0, 1),
            after: vec![
                after(0, vec![v(i).shifted(-1), v(j)]),
                after(0, vec![v(i), v(j).shifted(-1)]),
            ],
        }],
    }
}

fn cholesky() -> Problem {
    let (k, j) = (0, |family: u32| 1 + 3 * family);
    let range = |first: u32, more: usize| {
        let mut ranges = vec![span(first, c(0), v(k).shifted(-1))];
        if more > 0 {
            ranges.push(span(first + 1, v(first).shifted(1), v(k).shifted(-1)));
        }
        if more > 1 {
            ranges.push(span(
                first + 2,
                v(first).shifted(1),
                v(first + 1).shifted(-1),
            ));
        }
        ranges
    };
    let back = |x: u32| v(x).shifted(-1);
    let [p, t, s, g] = [0, 1, 2, 3].map(j);
    let family = |first, more, time, after| Family {
        ranges: range(first, more),
        weight: (time, 1),
        after,
    };
    Problem {
        sizes: vec![k],
        times: 4,
        next: 13,
        natural: Vec::new(),
        families: vec![
            family(p, 0, 0, vec![after(2, vec![back(p), v(p)])]),
            family(
                t,
                1,
                1,
                vec![
                    after(0, vec![v(t)]),
                    after(3, vec![back(t), v(t + 1), v(t)]),
                ],
            ),
            family(
                s,
                1,
                2,
                vec![
                    after(1, vec![v(s), v(s + 1)]),
                    after(2, vec![back(s), v(s + 1)]),
                ],
            ),
            family(
                g,
                2,
                3,
                vec![
                    after(1, vec![v(g), v(g + 1)]),
                    after(1, vec![v(g), v(g + 2)]),
                    after(3, vec![back(g), v(g + 1), v(g + 2)]),
                ],
            ),
        ],
    }
}

#[test]
fn a_wavefront_takes_its_sides() {
    let closed = close(&wavefront());
    let whole = Closed::Greatest(vec![vec![v(0).plus(&v(1), 1).shifted(-1)]]);
    let nothing = Closed::Greatest(vec![vec![c(0)]]);
    let inner = Closed::Cases(0, 1, Box::new([whole, nothing.clone()]));
    assert_eq!(
        closed,
        Some(Closed::Cases(1, 1, Box::new([inner, nothing])))
    );
}

#[test]
fn a_factorisation_has_two_forms_from_two_tiles_on() {
    let closed = close(&cholesky());
    let Some(Closed::Cases(0, 2, cases)) = &closed else {
        panic!("{closed:?}");
    };
    let Closed::Greatest(forms) = &cases[0] else {
        panic!("{closed:?}");
    };
    // 2p + t + s + (k - 2) (p + t + s), and 2p + t + s + (k - 2) (t + g).
    let k = v(0);
    let both = [
        vec![k.clone(), k.shifted(-1), k.shifted(-1), c(0)],
        vec![c(2), k.shifted(-1), c(1), k.shifted(-2)],
    ];
    assert_eq!(forms.len(), 2, "{forms:?}");
    assert!(both.iter().all(|form| forms.contains(form)), "{forms:?}");
}

#[test]
fn a_task_that_waits_for_a_whole_family_is_there_without_it() {
    let (n, i) = (0, 1);
    let fork = Problem {
        sizes: vec![n],
        times: 2,
        next: 2,
        natural: Vec::new(),
        families: vec![
            Family {
                ranges: vec![span(i, c(1), v(n))],
                weight: (0, 1),
                after: Vec::new(),
            },
            Family {
                ranges: Vec::new(),
                weight: (1, 1),
                after: vec![Reference {
                    family: 0,
                    arguments: None,
                    ranges: Vec::new(),
                    conditions: Vec::new(),
                }],
            },
        ],
    };
    let greatest = |first| Closed::Greatest(vec![vec![c(first), c(1)]]);
    let expected = Closed::Cases(n, 1, Box::new([greatest(1), greatest(0)]));
    assert_eq!(close(&fork), Some(expected));
}

/// A pipeline of `p` stages and `m` microbatches, whose steps for weights are done where there is room.
fn zero_bubble() -> Problem {
    let (p, m) = (0, 1);
    let (s, k) = (|family: u32| 2 + 2 * family, |family: u32| 3 + 2 * family);
    let ranges = |family| {
        vec![
            span(s(family), c(0), v(p).shifted(-1)),
            span(k(family), c(0), v(m).shifted(-1)),
        ]
    };
    let at = |before: usize, stage: Affine, step: Affine| after(before, vec![stage, step]);
    let family = |number: u32, after: Vec<Reference>| Family {
        ranges: ranges(number),
        weight: (number as usize, 1),
        after,
    };
    let ([f, b, w], own) = ([0, 1, 2], |family: u32| (v(s(family)), v(k(family))));
    let forward = {
        let (s, k) = own(0);
        vec![
            at(f, s.shifted(-1), k.clone()),
            at(f, s.clone(), k.shifted(-1)),
            at(b, s.clone(), k.plus(&s, 1).with(p, -1)),
            at(w, s, k.with(p, -1)),
        ]
    };
    let backward = {
        let (s, k) = own(1);
        let mut last = at(f, s.clone(), k.clone());
        let ends = v(p).shifted(-1).plus(&s, -1);
        last.conditions = vec![ends.clone(), ends.scaled(-1)];
        vec![
            at(b, s.shifted(1), k.clone()),
            last,
            at(b, s.clone(), k.shifted(-1)),
            at(f, s.clone(), k.plus(&ends, 1)),
            at(w, s.clone(), k.plus(&s, -1).shifted(-1)),
        ]
    };
    let weights = {
        let (s, k) = own(2);
        vec![
            at(b, s.clone(), k.clone()),
            at(b, s.clone(), k.plus(&s, 1)),
            at(w, s, k.shifted(-1)),
        ]
    };
    Problem {
        sizes: vec![p, m],
        times: 3,
        next: 8,
        natural: Vec::new(),
        families: vec![family(0, forward), family(1, backward), family(2, weights)],
    }
}

/// By hand: what is left between the steps of a device is filled by those for weights.
#[test]
fn steps_for_weights_fill_the_bubble_of_a_pipeline() {
    let forms = |closed: Option<Closed>| match closed {
        Some(Closed::Cases(_, _, cases)) => match &cases[0] {
            Closed::Greatest(forms) => forms.clone(),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    };
    let sorted = |mut forms: Vec<Form>| {
        forms.sort();
        forms
    };
    // p + m - 1 of one of the first two times, or of both, where m is p and more (sizes: p, m - p) ..
    let (p, more) = (v(0), v(1));
    let m = p.plus(&more, 1);
    let most = m.plus(&p, 1).shifted(-1);
    let many = forms(close(&zero_bubble().beyond(1, 0)));
    let wanted = [
        vec![m.clone(), most.clone(), m.clone()],
        vec![most.clone(), m.clone(), m],
        vec![most.clone(), most, more.shifted(1)],
    ];
    assert_eq!(sorted(many), sorted(wanted.to_vec()));
    // .. and where p is m and more (sizes: p - m, m).
    let (more, m) = (v(0), v(1));
    let p = m.plus(&more, 1);
    let most = m.plus(&p, 1).shifted(-1);
    let few = forms(close(&zero_bubble().beyond(0, 1)));
    let wanted = [
        vec![p.clone(), most.clone(), m.clone()],
        vec![most.clone(), p, m],
        vec![most.clone(), most, c(1)],
    ];
    assert_eq!(sorted(few), sorted(wanted.to_vec()));
}
