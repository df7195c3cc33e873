//! Parameters that are laws, and what is declared of them.

use super::*;

/// What `-D name=value` makes of a model: an error of it, or the facts that are broken.
fn defined(text: &str, name: &str, value: &str) -> Result<Vec<String>, String> {
    let mut model = model(text);
    let (value, sources) = crate::syntax::parse_expression("-D", value).expect("parses");
    model
        .define(name, value, &sources, &NoFiles)
        .map_err(|e| e.diagnostics[0].message.clone())?;
    let bindings = BTreeMap::new();
    let broken = Evaluator::new(&model, &bindings, Limits::default()).broken_facts();
    broken
        .map(|all| all.into_iter().map(|d| d.message).collect())
        .map_err(|d| d.message)
}

#[test]
fn a_law_parameter_takes_laws_and_scalars() {
    let text = "numeric parameter X : law numeric x = Var(X) + Var(X + X)";
    let value = |value: &str| {
        let mut model = model(text);
        let (value, sources) = crate::syntax::parse_expression("-D X", value).expect("parses");
        model
            .define("X", value, &sources, &NoFiles)
            .map_err(|e| e.diagnostics[0].message.clone())?;
        let bindings = BTreeMap::new();
        let mut evaluator = Evaluator::new(&model, &bindings, Limits::default());
        evaluator.equation("x").map_err(|d| d.message)
    };
    assert_eq!(value("moments(5, 4, 1, 6)"), Ok(scalar("12")));
    assert_eq!(value("exponential(2)"), Ok(scalar("12")));
    assert_eq!(value("7"), Ok(scalar("0")));
    assert_eq!(
        defined("numeric parameter X : law numeric x = X", "X", "[7]"),
        Err("expected a law for `X`, found a vector".to_owned())
    );
    assert_eq!(
        x(text, &[]).map_err(|d| d.message),
        Err("`X` has no value".to_owned())
    );
    assert_eq!(
        defined("numeric parameter N numeric x = N", "N", "exponential(3)"),
        Err("expected a scalar for `N`, found a law".to_owned())
    );
}

#[test]
fn facts_of_a_law_are_of_all_its_values() {
    let text = "numeric parameter X : law >= 0 <= 1 numeric x = E(X)";
    let broken = |value: &str| defined(text, "X", value).map(|broken| broken.join(" "));
    assert_eq!(broken("bernoulli(1/2)"), Ok(String::new()));
    assert_eq!(broken("beta(1, 2)"), Ok(String::new()));
    assert_eq!(broken("moments(1/2, 1/9, 0, 3)"), Ok(String::new()));
    let against = |what: &str| Ok(format!("`X` is {what}, which contradicts its declaration"));
    assert_eq!(broken("exponential(3)"), against("random from 0 on"));
    assert_eq!(broken("2"), against("2"));
    assert_eq!(broken("binomial(2, 1/2)"), against("random from 0 to 2"));
    assert_eq!(
        broken("bernoulli(2 * sqrt(1))"),
        Err("the probability of `bernoulli` is 2, expected a number from 0 to 1".to_owned())
    );
    let strictly = |value: &str| {
        let text = "numeric parameter X : law > 0 < 1 numeric x = E(X)";
        defined(text, "X", value).map(|broken| broken.len())
    };
    assert_eq!(strictly("beta(1, 2)"), Ok(0));
    assert_eq!(strictly("uniform(0, 1)"), Ok(0));
    assert_eq!(strictly("uniform(0, 0)"), Ok(1));
    assert_eq!(strictly("bernoulli(1/2)"), Ok(2));
    assert_eq!(strictly("1/2"), Ok(0));
    assert_eq!(strictly("1"), Ok(1));
    let whole = |value| {
        defined(
            "numeric parameter X : integer law numeric x = E(X)",
            "X",
            value,
        )
    };
    assert_eq!(whole("poisson(3)"), Ok(Vec::new()));
    assert_eq!(whole("uniform(0, 1)").map(|broken| broken.len()), Ok(1));
}
