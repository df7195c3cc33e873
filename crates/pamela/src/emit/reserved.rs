//! Names of the model in emitted code; they are the same in all languages.

use std::collections::{BTreeMap, BTreeSet};

use super::languages::Language;

/// Words reserved in one of the languages, or used by the emitted functions.
const RESERVED: &str = "\
abstract and arguments as asm assert async auto await baremodule begin bool boolean break byte case catch char class
const continue crate debugger def default del delete do double dyn elif else elseif end enum eval except export
extends extern false final finally float fn for from function global goto if impl implements import in inline
instanceof int interface is lambda let local long loop macro match math mod module move mut native new nonlocal not
np null or override package pass priv private protected pub public quote raise ref register restrict result return
self short signed sizeof static struct super switch symbol sympy synchronized this throw throws trait transient true
try type typedef typeof undefined union unsafe unsigned unsized use using var virtual void volatile where while with
yield Infinity Math NaN None False True Self Inf f64 numpy main bool_ range sum min max abs all any
acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh drem erf erfc exp exp2 expm1 fabs fdim floor fma
fmax fmin fmod frexp gamma hypot ilogb isnan j0 j1 jn ldexp lgamma log log10 log1p log2 logb lrint lround modf nan
nearbyint nextafter pow remainder remquo rint round scalbn signgam significand sin sinh sqrt tan tanh tgamma trunc
y0 y1 yn INFINITY NAN
alter analyze between by cast column create cross current_date current_time distinct drop exists fetch from
full grant group having inner insert intersect into join left like limit natural offset on order outer points
primary references right row rows select set table then to union unique update user values when window
abort alert alignas alignof ans Any ARGS Array ArrayBuffer ascii at atob atof atoi atol Base BigInt Bool Boolean
Box Broadcast btoa Buffer bytearray bytes callable calloc Cchar Cdouble Cfloat Char chr Cint cld Clong Cmd Colon
compile Complex complex Condition confirm console constexpr Core crypto Cstring daddl DataView Date Dict dict dir
div divmod Docs document DOMAIN double_t Enum enumerate ENV equations Err errno Error escape Exception exec exit
exp10 Expr f32 fclose ffs filter fld Float16 Float32 Float64 float_t format FP_FAST_FMA FP_ILOGB0 FP_ILOGBNAN
FP_INFINITE FP_NAN FP_NORMAL FP_SUBNORMAL FP_ZERO fpclassify fprintf fputc fputs frames frozenset fscanf Function
GC gen getattr getc getchar globals globalThis hash help hex HUGE_VAL HUGE_VALF HUGE_VALL i128 i16 i32 i386 i64 i8
id im index indexedDB Inf16 Inf32 input Int Int128 Int16 Int32 Int64 Int8 Integer IO isalnum isalpha isascii
isblank iscntrl isdigit isFinite isfinite isgraph isgreater isgreaterequal isinf isize isless islessequal
islessgreater islower isNaN isnormal isprint ispunct isspace issubclass isunordered isupper isxdigit iter Iterators
JSON labs len lgamma_r Libc LinRange list llabs locals localStorage location M_1_PI M_2_PI M_2_SQRTPI M_E M_LN10
M_LN2 M_LOG10E M_LOG2E M_PI M_PI_2 M_PI_4 M_SQRT1_2 M_SQRT2 Main malloc Map MATH_ERREXCEPT math_errhandling
MATH_ERRNO Matrix MAXFLOAT memchr memcmp memcpy memmove memset Meta Missing missing Module NamedTuple NaN16 NaN32
next nexttoward Nothing nothing nullptr Number Object object oct Ok open Option ord OVERFLOW Pair parse parseFloat
parseInt performance pi PLOSS postMessage pow10 printf println prod Promise property Proxy Ptr putc putchar puts
qsort quit RangeError Rational Real realloc Ref Reflect Regex RegExp rem repr require Result Returns reversed
rindex scalb scalbln scanf scrollbars sessionStorage Set setattr setInterval setTimeout signbit Signed sincos SING
slice sliders snprintf Some sorted sprintf srand sscanf stderr stdin stdout StepRange stpcpy str strcat strchr
strcmp strcpy String strlen strncpy Symbol SyntaxError Sys thread_local Threads TLOSS tolower top toupper Tuple
tuple Type TypeError typeof_unqual u128 u16 u32 u64 u8 UInt UInt16 UInt32 UInt64 UInt8 UNDERFLOW unescape Union
UnitRange Unsigned URL usize Val vars Vec Vector VERSION visualViewport vprintf vsnprintf WeakMap WeakSet X_TLOSS
zip
aint anint dble ieee_arithmetic ieee_is_finite ieee_is_nan ieee_positive_inf ieee_quiet_nan ieee_value log_gamma
merge
points";

/// The emitted names of equations and parameters, and a free prefix for shared parts.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    given: BTreeMap<String, String>,
    /// For each equation, the name of the function that checks its conditions.
    holds: BTreeMap<String, String>,
    part: String,
}

/// The functions of one precision and of another in C: `sinf`, `sinl`.
fn is_reserved_in_c(name: &str, words: &BTreeSet<&str>) -> bool {
    let shorter = name.strip_suffix(['f', 'l']);
    shorter.is_some_and(|shorter| shorter.len() > 2 && words.contains(shorter))
}

impl Names {
    pub fn new<'n>(
        language: Language,
        parameters: impl Iterator<Item = &'n str>,
        equations: impl Iterator<Item = &'n str>,
    ) -> Names {
        let equations: Vec<&str> = equations.collect();
        let all: BTreeSet<String> = parameters
            .chain(equations.iter().copied())
            .map(str::to_owned)
            .collect();
        let words: BTreeSet<&str> = RESERVED.split_whitespace().collect();
        let how = &language.row().functions;
        let is_reserved = |name: &str| {
            // The words of SQL and Fortran have no case.
            words.contains(name)
                || words.contains(name.to_lowercase().as_str())
                || is_reserved_in_c(name, &words)
                || ["pamela_", "__", "step_"]
                    .iter()
                    .any(|start| name.starts_with(start))
                || (name.starts_with('_')
                    && (how.letters_first
                        || name[1..].starts_with(|c: char| c.is_ascii_uppercase())))
                || name.trim_matches('_').is_empty()
        };
        let key = |name: &str| {
            if how.ignores_case {
                name.to_lowercase()
            } else {
                name.to_owned()
            }
        };
        let is_short = |name: &str| how.longest.is_none_or(|most| name.len() <= most);
        // Half of the longest name, as more is added.
        let shortened = |name: &str| -> String {
            let most = how.longest.map_or(usize::MAX, |most| most / 2);
            name.chars().take(most).collect()
        };
        let mut taken: BTreeSet<String> = BTreeSet::new();
        let (_, renamed): (Vec<String>, Vec<String>) = all
            .into_iter()
            .partition(|name| !is_reserved(name) && is_short(name) && taken.insert(key(name)));
        let mut given = BTreeMap::new();
        for name in renamed {
            let start = name.trim_start_matches('_').replace("pamela_", "model_");
            let mut other = format!("{}_", shortened(&start));
            while is_reserved(&other) || !taken.insert(key(&other)) {
                other.insert(0, 'x');
            }
            given.insert(name, other);
        }
        let mut holds = BTreeMap::new();
        for name in equations {
            let mut other = format!("{name}_holds");
            if !is_short(&other) {
                other = format!("{}_holds", shortened(name));
            }
            while is_reserved(&other) || !taken.insert(key(&other)) {
                other = if is_reserved(&other) {
                    format!("x{other}")
                } else {
                    format!("{other}_")
                };
            }
            holds.insert(name.to_owned(), other);
        }
        let mut part = "part".to_string();
        while taken
            .iter()
            .any(|name| name.to_lowercase().starts_with(&part))
        {
            part.push('_');
        }
        Names { given, holds, part }
    }

    pub fn of(&self, name: &str) -> String {
        let given = self.given.get(name);
        given.cloned().unwrap_or_else(|| name.to_string())
    }

    /// The name of the function that checks the conditions of an equation.
    pub fn holds(&self, equation: &str) -> String {
        self.holds.get(equation).cloned().unwrap_or_default()
    }

    pub fn all(&self, names: &[String]) -> Vec<String> {
        names.iter().map(|name| self.of(name)).collect()
    }

    /// Renamed equations and parameters: the name in the model and the name in the code.
    pub fn renamed(&self) -> impl Iterator<Item = (String, String)> {
        let own = self.given.iter();
        let own = own.map(|(name, other)| (name.clone(), other.clone()));
        let holds = self.holds.iter();
        let holds = holds.map(|(name, other)| (format!("{name}_holds"), other.clone()));
        own.chain(holds.filter(|(name, other)| name != other))
    }

    /// A prefix that no name has.
    pub fn part(&self) -> &str {
        &self.part
    }
}
