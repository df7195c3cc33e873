//! The target languages as data: a row and a prelude for each.

/// A target language. Numbers are doubles, except in SymPy, which has exact numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C functions of doubles, with `math.h`.
    C,
    /// Rust functions of `f64`.
    Rust,
    /// Python functions of floats.
    Python,
    /// NumPy functions of arrays.
    NumPy,
    /// Julia functions of `Float64`.
    Julia,
    /// A JavaScript module of functions of numbers.
    JavaScript,
    /// A Fortran module of functions of doubles.
    Fortran,
    /// A query that adds columns to a table `points`, which has a column for each parameter.
    Sql,
    /// SymPy expressions of symbols.
    SymPy,
}

/// What is said of a language, and how its functions are written.
pub(super) struct Row {
    /// The name in commands.
    pub key: &'static str,
    /// The name for readers.
    pub name: &'static str,
    /// What is made of a model, in a line of help.
    pub about: &'static str,
    /// What stands before and after a line of comment.
    pub comment: [&'static str; 2],
    pub functions: Functions,
}

/// How functions of doubles are written: texts with places for parts, such as `{name}`.
///
/// | place | stands for |
/// |---|---|
/// | `{name}`, `{kind}` | the function, and the type of its result |
/// | `{parameters}` | each parameter as [`Functions::parameter`] says, with commas |
/// | `{each_parameter}`, `{each_part}`, `{each_result}` | a line for each, with `{p}`, `{name}`, or `{k}` and `{value}` |
/// | `{list}`, `{length}` | the results, and how many they are |
/// | `{all}` | the names of all functions |
pub(super) struct Functions {
    /// Stands before everything.
    pub head: &'static str,
    /// Stands between the notes and the functions.
    pub begin: &'static str,
    /// Stands behind everything.
    pub end: &'static str,
    /// Functions with names that begin with `pamela_`, of which those that are called are written.
    pub prelude: &'static str,
    pub infinity: &'static str,
    /// The letter of powers of ten, if each number needs one: `1d0`.
    pub exponent: Option<char>,
    pub and: &'static str,
    pub truth: &'static str,
    /// What stands before `floor`, `ceil`, `sqrt` and `exp`, and the whole name of `abs`; without them, the prelude has
    /// functions for these.
    pub elementary: Option<[&'static str; 2]>,
    pub parameter: &'static str,
    /// The list of no parameters.
    pub no_parameters: &'static str,
    /// A further parameter of a function with several results.
    pub results_parameter: Option<&'static str>,
    pub each_parameter: &'static str,
    pub each_part: &'static str,
    pub each_result: &'static str,
    /// The type of a number, of a truth, and of several numbers.
    pub kinds: [&'static str; 3],
    pub opening: &'static str,
    /// A part that results share: `{name}` and `{value}`.
    pub part: &'static str,
    /// What returns a number, a truth, and several numbers.
    pub results: [&'static str; 3],
    pub closing: &'static str,
    /// True if names that differ only in case are the same.
    pub ignores_case: bool,
    /// True if names begin with a letter.
    pub letters_first: bool,
    /// The greatest number of characters in a name, if there is one.
    pub longest: Option<usize>,
    /// The longest line that compilers take, if there is one; longer ones go on behind `&`.
    pub widest: Option<usize>,
}

/// What most languages have in common.
const PLAIN: Functions = Functions {
    head: "",
    begin: "",
    end: "",
    prelude: "",
    infinity: "Infinity",
    exponent: None,
    and: " && ",
    truth: "true",
    elementary: None,
    parameter: "{p}",
    no_parameters: "",
    results_parameter: None,
    each_parameter: "",
    each_part: "",
    each_result: "",
    kinds: ["", "", ""],
    opening: "",
    part: "",
    results: ["", "", ""],
    closing: "",
    ignores_case: false,
    letters_first: false,
    longest: None,
    widest: None,
};

static C: Row = Row {
    key: "c",
    name: "C",
    about: "A C function for each closed form, and one for its conditions",
    comment: ["/* ", " */"],
    functions: Functions {
        head: "#include <math.h>\n",
        prelude: include_str!("preludes/c.txt"),
        infinity: "INFINITY",
        truth: "1",
        elementary: Some(["", "fabs"]),
        parameter: "double {p}",
        no_parameters: "void",
        results_parameter: Some("double result[{length}]"),
        each_result: "    result[{k}] = {value};\n",
        kinds: ["double", "int", "void"],
        opening: "{kind} {name}({parameters}) {\n",
        part: "    const double {name} = {value};\n",
        results: [
            "    return {list};\n",
            "    return {list};\n",
            "{each_result}",
        ],
        closing: "}\n",
        ..PLAIN
    },
};

static RUST: Row = Row {
    key: "rust",
    name: "Rust",
    about: "Rust functions, as in C",
    comment: ["// ", ""],
    functions: Functions {
        head: "#![allow(dead_code, non_snake_case, unused_parens, unused_variables)]\n",
        prelude: include_str!("preludes/rust.txt"),
        infinity: "f64::INFINITY",
        elementary: Some(["f64::", "f64::abs"]),
        parameter: "{p}: f64",
        kinds: ["f64", "bool", "[f64; {length}]"],
        opening: "pub fn {name}({parameters}) -> {kind} {\n",
        part: "    let {name} = {value};\n",
        results: ["    {list}\n", "    {list}\n", "    [{list}]\n"],
        closing: "}\n",
        ..PLAIN
    },
};

static PYTHON: Row = Row {
    key: "python",
    name: "Python",
    about: "Python functions of floats, as in C",
    comment: ["# ", ""],
    functions: Functions {
        head: "import math\n",
        prelude: include_str!("preludes/python.txt"),
        infinity: "math.inf",
        and: " and ",
        truth: "True",
        opening: "def {name}({parameters}):\n",
        part: "    {name} = {value}\n",
        results: TUPLES,
        ..PLAIN
    },
};

const TUPLES: [&str; 3] = [
    "    return {list}\n",
    "    return {list}\n",
    "    return ({list},)\n",
];

static NUMPY: Row = Row {
    key: "numpy",
    name: "NumPy",
    about: "Python functions of NumPy arrays, as in C",
    comment: ["# ", ""],
    functions: Functions {
        head: "import numpy as np\n",
        prelude: include_str!("preludes/numpy.txt"),
        infinity: "np.inf",
        and: " & ",
        truth: "True",
        elementary: Some(["np.", "np.abs"]),
        each_parameter: "    {p} = np.asarray({p}, dtype=float)\n",
        opening: "@np.errstate(all=\"ignore\")\ndef {name}({parameters}):\n{each_parameter}",
        part: "    {name} = {value}\n",
        results: TUPLES,
        ..PLAIN
    },
};

static JULIA: Row = Row {
    key: "julia",
    name: "Julia",
    about: "Julia functions, as in C",
    comment: ["# ", ""],
    functions: Functions {
        prelude: include_str!("preludes/julia.txt"),
        infinity: "Inf",
        opening: "function {name}({parameters})\n",
        part: "    {name} = {value}\n",
        results: TUPLES,
        closing: "end\n",
        ..PLAIN
    },
};

static JAVASCRIPT: Row = Row {
    key: "javascript",
    name: "JavaScript",
    about: "JavaScript functions, as in C",
    comment: ["// ", ""],
    functions: Functions {
        // For Node; a page just takes the functions.
        end: "if (typeof module !== \"undefined\") module.exports = { {all} };\n",
        prelude: include_str!("preludes/javascript.txt"),
        elementary: Some(["Math.", "Math.abs"]),
        opening: "function {name}({parameters}) {\n",
        part: "    const {name} = {value};\n",
        results: [
            "    return {list};\n",
            "    return {list};\n",
            "    return [{list}];\n",
        ],
        closing: "}\n",
        ..PLAIN
    },
};

static FORTRAN: Row = Row {
    key: "fortran",
    name: "Fortran",
    about: "A Fortran module of functions of doubles, as in C",
    comment: ["! ", ""],
    functions: Functions {
        begin: "module pamela_model\n    use, intrinsic :: ieee_arithmetic\n    implicit none\ncontains\n\n",
        end: "end module\n",
        prelude: include_str!("preludes/fortran.txt"),
        infinity: "ieee_value(1d0, ieee_positive_inf)",
        exponent: Some('d'),
        and: " .and. ",
        truth: ".true.",
        each_parameter: "    double precision, intent(in) :: {p}\n",
        each_part: "    double precision :: {name}\n",
        kinds: [
            "double precision",
            "logical",
            "double precision, dimension({length})",
        ],
        opening: "pure function {name}({parameters}) result(pamela_result)\n{each_parameter}    {kind} :: \
                  pamela_result\n{each_part}",
        part: "    {name} = {value}\n",
        results: [
            "    pamela_result = {list}\n",
            "    pamela_result = {list}\n",
            "    pamela_result = [{list}]\n",
        ],
        closing: "end function\n",
        ignores_case: true,
        letters_first: true,
        longest: Some(63),
        widest: Some(120),
        ..PLAIN
    },
};

static SQL: Row = Row {
    key: "sql",
    name: "SQL",
    about: "A query that adds columns to a table `points`",
    comment: ["-- ", ""],
    functions: PLAIN,
};

static SYMPY: Row = Row {
    key: "sympy",
    name: "SymPy",
    about: "Exact SymPy expressions",
    comment: ["# ", ""],
    functions: PLAIN,
};

impl Language {
    /// All languages.
    pub const ALL: [Language; 9] = [
        Language::C,
        Language::Rust,
        Language::Python,
        Language::NumPy,
        Language::Julia,
        Language::JavaScript,
        Language::Fortran,
        Language::Sql,
        Language::SymPy,
    ];

    pub(super) fn row(self) -> &'static Row {
        match self {
            Language::C => &C,
            Language::Rust => &RUST,
            Language::Python => &PYTHON,
            Language::NumPy => &NUMPY,
            Language::Julia => &JULIA,
            Language::JavaScript => &JAVASCRIPT,
            Language::Fortran => &FORTRAN,
            Language::Sql => &SQL,
            Language::SymPy => &SYMPY,
        }
    }

    /// The name in commands, such as `numpy`.
    pub fn key(self) -> &'static str {
        self.row().key
    }

    /// The name for readers, such as `NumPy`.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// What is made of a model, in a line of help.
    pub fn about(self) -> &'static str {
        self.row().about
    }
}
