use super::errors;
use crate::syntax::parse_expression;

#[test]
fn each_wrong_equation_has_its_error() {
    insta::assert_snapshot!(errors(
        "numeric a = 1 +
numeric b = 2
process main = seq (i = 1, N { delay(1) }
numeric sum = 3
numeric c = (1 + 2
process p = { a ; b"
    ));
}

#[test]
fn slips_in_processes_are_explained() {
    insta::assert_snapshot!(errors(
        "process a = delay(1) delay(2)
process b = x || y <> z
process c = { }
process d = 3
process e = use(r)
process f = a ;
process g = (a ; b)
process h = a }
process i = seq (i = 1 2) x
process j = { delay(1 ; delay(2) }
process k = seq (i == 1, 2) x
process l = if c a
process m = while (1) delay(1)
process n = delay(x) where x = 3
process o = par (i = 1 to 3) delay(1)
process p = use(r, 1, 2)
resource q[4]
numeric t = 1_000"
    ));
}

#[test]
fn slips_in_expressions_are_explained() {
    insta::assert_snapshot!(errors(
        "numeric a = x = y
numeric b = 1;
numeric c = 2x
numeric d = x ** y
numeric e = [1,]
numeric f = if (a) b
numeric g = delay(2)
numeric h = a < b < c
numeric i = sum (i = 1, N) i^2
numeric j = x <> y
numeric k = +1
numeric l = a ≤ b
numeric m = .5
numeric n = 1e1000
numeric o = x | y
numeric p = max (2 of i = 1, N) { i }
numeric q = kth (i = 1, N) { i }
numeric r = x 1"
    ));
}

#[test]
fn slips_around_equations_are_explained() {
    insta::assert_snapshot!(errors(
        "main = delay(1)
numeric P : integr >= 1
numeric h(2) = 3
process m = { a ; b
main = delay(3)
numeric x
y = 3
numeric
include model
include \"nowhere.pam\"
# note
assume
numeric z == 1"
    ));
}

#[test]
fn a_wrong_expression_on_its_own_is_explained() {
    let message = |text: &str| match parse_expression("-D N", text) {
        Ok((expression, _)) => panic!("{expression}"),
        Err(error) => error.to_string(),
    };
    insta::assert_snapshot!(message("1 +"));
    insta::assert_snapshot!(message(""));
    insta::assert_snapshot!(message("1 : 2"));
}

#[test]
fn slips_of_other_languages_are_explained() {
    insta::assert_snapshot!(errors(
        "process a = for (i = 1, P) delay(1)
numeric b = if (N > 1 and P > 1) 1 else 0
numeric c = if (N > 1 or P > 1) 1 else 0
numeric d = if (not N > 1) 1 else 0
numeric e = mod(N, P)
numeric f = N > 1 ? 2 : 3
process g = any (3 : i = 1, N) delay(1)
resource h = 4
resource i(4)
numeric parameter j : int >= 1
numeric parameter k : 1 <= k <= 5
numeric l = 3 ms
process m = seq (i = 1, log2 P) delay(1)
process n = use(disk)
numeric o = sum (i = 1, N, i)
numeric parameter p = 0 : integer >= 1
numeric q = switch { N > 2: 1, else: 2 }
numeric parameter r integer >= 1
numeric parameter s >= 1
numeric parameter t : exponential(3)
numeric parameter t2 : t2 > 0
numeric u = T(main) where P = 1"
    ));
}

#[test]
fn slips_of_newcomers_are_explained() {
    insta::assert_snapshot!(errors(
        "process a = seq (i = 1 N) delay(i)
numeric b = sum (i = N 3) { i }
numeric c = sum (i = 1 (N)) { i }
process d { delay(1) }
resource e : servers(2)
numeric parameter f : [GB/(s*node)] > 0
process g = lock(cpu) { delay(1) }
numeric h = max(1 N)"
    ));
    insta::assert_snapshot!(errors("import std/collectives"));
}
