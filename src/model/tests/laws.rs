//! Laws, by hand.

use super::*;

/// The distribution of equation `x`, or of a result, of the model: `value: probability, ...`.
fn distribution_of(name: &str, text: &str) -> Result<String, String> {
    with_value(text, &[], |evaluator| {
        let distribution = evaluator.distribution(name).map_err(|d| d.message)?;
        let outcomes = distribution.outcomes.iter();
        let texts: Vec<String> = outcomes.map(|(value, p)| format!("{value}: {p}")).collect();
        Ok(texts.join(", "))
    })
}

/// `distributions! { name: text => expected, ... }`: of the equation `x = text`.
macro_rules! distributions {
    ($($name:ident: $($expression:literal => $expected:literal),+;)*) => {$(
        #[test]
        fn $name() {
            $(assert_eq!(
                distribution_of("x", &format!("{DICE} numeric x = {}", $expression)),
                Ok($expected.to_owned()),
                "{}", $expression
            );)+
        }
    )*};
}

/// `die` has 1, 2 and 3 with 1/3 each, `coin` 0 and 1 with 1/2 each.
const DICE: &str = "numeric die = mixture(1/3, 1, 1/3, 2, 1/3, 3) numeric coin = bernoulli(1/2)
    numeric twice(a) = a + a";

distributions! {
    a_scalar_has_one_outcome: "7/2" => "7/2: 1", "0 * coin" => "0: 1", "deterministic(3)" => "3: 1",
        "moments(3, 0, 7, 9)" => "3: 1";
    a_name_is_drawn_wherever_it_stands: "coin + coin" => "0: 1/4, 1: 1/2, 2: 1/4", "2 * coin" => "0: 1/2, 2: 1/2",
        "coin - coin" => "-1: 1/4, 0: 1/2, 1: 1/4", "-coin" => "-1: 1/2, 0: 1/2", "twice(coin)" => "0: 1/4, 1: 1/2, 2: 1/4";
}
