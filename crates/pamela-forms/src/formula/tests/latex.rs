use super::formula;
use crate::formula::latex_name;

fn prints(text: &str, expected: &str) {
    assert_eq!(formula(text).latex(), expected, "from {text}");
}

#[test]
fn names_have_subscripts_and_greek_letters() {
    for (name, expected) in [
        ("N", "N"),
        ("tl", r"\mathit{tl}"),
        ("t_l", "t_{l}"),
        ("T_main", r"T_{\mathit{main}}"),
        ("phi_main", r"\phi_{\mathit{main}}"),
        ("mu", r"\mu"),
        ("a_b_12", "a_{b,12}"),
        ("t1", r"\mathit{t1}"),
        ("_", r"\mathit{\_}"),
    ] {
        assert_eq!(latex_name(name), expected);
    }
}

#[test]
fn products_and_fractions() {
    prints("10.1 * N", r"10.1\,N");
    prints("N * (N + 1) / 2", r"\frac{N\,\left(N + 1\right)}{2}");
    prints("N / (P + 1)", r"\frac{N}{P + 1}");
    prints("1 / 3", r"\frac{1}{3}");
    prints("3 * 2^N", r"3 \cdot 2^{N}");
    prints("-N / P", r"-\frac{N}{P}");
}

#[test]
fn functions() {
    prints("max(a, b)", r"\max\left(a, b\right)");
    prints("N div P", r"\left\lfloor \frac{N}{P} \right\rfloor");
    prints("ceil(N / P)", r"\left\lceil \frac{N}{P} \right\rceil");
    prints("N mod P", r"N \bmod P");
    prints("t * (N mod P)", r"t\,\left(N \bmod P\right)");
    prints("sqrt(x)", r"\sqrt{x}");
    prints("log(x)", r"\ln\left(x\right)");
    prints("abs(x)^2", r"\left|x\right|^{2}");
    prints("H(N + 1)", "H_{N + 1}");
    prints("H(N, 2)", r"H_{N}^{\left(2\right)}");
    prints("H(N, 2)^3", r"\left(H_{N}^{\left(2\right)}\right)^{3}");
    prints("fact(N)", "N!");
    prints("fact(N - 1)^2", r"\left(\left(N - 1\right)!\right)^{2}");
    prints(
        "floorsum(N, P, 3, 1)",
        r"\operatorname{floorsum}\left(N, P, 3, 1\right)",
    );
    prints("lgamma(x)", r"\ln\Gamma\left(x\right)");
    prints("log2(x)", r"\log_{2}\left(x\right)");
    prints("N * log(x, P)", r"N\,\log_{P}\left(x\right)");
    prints("cbrt(x + 1)", r"\sqrt[3]{x + 1}");
    prints("root(x, 5)", r"\sqrt[5]{x}");
}

#[test]
fn brackets_and_cases() {
    prints("t * (a <= b)", r"t\,\left[a \le b\right]");
    prints("a <= b && integer(N)", r"N \in \mathbb{Z} \land a \le b");
    prints(
        "if (a != b) x else y",
        r"\begin{cases} x & \text{if } a \ne b \\ y & \text{otherwise} \end{cases}",
    );
}

#[test]
fn reductions() {
    prints(
        "sum (q = 1, N) { q + a }",
        r"\sum_{i=1}^{N} \left(a + i\right)",
    );
    prints("max (q = 1, N) { q^2 }", r"\max_{1 \le i \le N} i^{2}");
    prints(
        "2 * sum (q = 1, N) { q }",
        r"2\,\left(\sum_{i=1}^{N} i\right)",
    );
}

#[test]
fn vectors() {
    prints("10 * unitvec(3)", r"\left[0, 0, 0, 10\right]");
    prints("t * unitvec(disk, k)", r"t\,\mathbf{e}^{\mathit{disk}}_{k}");
}
