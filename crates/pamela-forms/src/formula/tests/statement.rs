use crate::formula::rule_latex;

/// The rows of a rule of the library.
fn rows(name: &str) -> Vec<String> {
    let base = crate::rules::standard().unwrap();
    let latex = rule_latex(base.find(name).unwrap().written());
    let block = latex.strip_prefix("\\begin{align*}\n& ").unwrap();
    let block = block.strip_suffix("\n\\end{align*}").unwrap();
    block.split(" \\\\\n& ").map(str::to_string).collect()
}

#[test]
fn a_rule_has_a_row_for_each_side_and_each_clause() {
    assert_eq!(
        rows("sum-constant"),
        [
            r"\sum_{i=a}^{b} c",
            r"\qquad = \left(b - a + 1\right) \cdot c",
            r"\qquad \text{when } i \notin c",
            r"\qquad \text{assuming } b \ge a - 1,\; b - a \in \mathbb{Z}",
        ]
    );
    assert_eq!(rows("moment-decided")[2], r"\qquad \text{for laws } X,\; Y");
    let kept = r"\qquad \text{kept } k \in \mathbb{Z}\;\text{(the left side is defined nowhere else, and the result states this)}";
    assert_eq!(rows("kth-constant")[4], kept);
}

#[test]
fn what_is_a_factor_is_enclosed_where_it_would_be_read_otherwise() {
    assert_eq!(
        rows("mod-shift")[..3],
        [
            r"a \bmod b",
            r"\qquad = \left(b \cdot y\right) \bmod b",
            r"\qquad \text{with } \left(n, y\right) = \operatorname{whole}\left(\frac{a}{b}\right)",
        ]
    );
    assert_eq!(
        rows("vector-max-if"),
        [
            r"\max\left(\begin{cases} v & \text{if } c \\ w & \text{otherwise} \end{cases}\right)",
            r"\qquad = \begin{cases} \max\left(v\right) & \text{if } c \\ \max\left(w\right) & \text{otherwise} \end{cases}",
        ]
    );
    assert_eq!(
        rows("sum-linear")[1],
        r"\qquad = \sum\left(c \cdot \left(\sum_{i=a}^{b} g\right), \ldots\right)"
    );
}
