//! Instances of a rule: its variables replaced by small expressions over parameters and indices.

use std::collections::BTreeMap;

use crate::syntax::parse_expression;
use crate::syntax::tree::{AddOp, Expr, ExprKind, MulOp, Name, Relation, SPREAD};

use super::random::Random;
use super::variables::{Kind, Schema, Variable, Variables};
use crate::syntax::rewrite::{label, map_operands, name, node, substitute};

/// A name that has a value at each point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    pub name: String,
    /// Mostly an integer.
    pub integral: bool,
    /// True if values must be small, since they are numbers of repetitions that are enumerated.
    pub small: bool,
}

/// Values of the variables of a rule in one instance.
#[derive(Clone, Debug, Default)]
pub struct Instance {
    terms: BTreeMap<String, Expr>,
    /// Values of list variables.
    lists: BTreeMap<String, Vec<Expr>>,
    /// Schemas, as expressions in `u` and `v`.
    schemas: BTreeMap<String, Expr>,
    /// Bounds and moduli are numbers.
    numeric: bool,
    /// Its parameters are small.
    small: bool,
    pub parameters: Vec<Parameter>,
}

// In shapes, `x` and `y` are parameters, `i` and `k` indices in whose range the variable stands, `u` and
// `v` the arguments of a schema. Some are undefined at degenerate points.
const CONSTANTS: &[&str] = &["x", "x", "x", "x", "x + y", "1 / x"];
const BODIES: &[&str] = &[
    "x",
    "x",
    "i",
    "x * i",
    "x",
    "x + i",
    "x - i",
    "i ^ 2",
    "i * (x - i)",
    "(i <= x)",
    "x / i",
    "abs(i - x)",
    "if (i <= x) y else i",
    "i mod 3",
    "i * k",
    "x * i + y",
    "-i",
    "i * k + x",
];
const INTEGERS: &[&str] = &["x"];
/// The orders of cumulants.
const CUMULANTS: &[&str] = &["1", "2", "3", "4"];
/// A list has fewer elements.
const LONGEST_LIST: usize = 4;
const NUMBERS: &[&str] = &["0", "1", "2", "3", "-1"];
const ORDERS: &[&str] = &["1", "2", "3"];
const INNER_INTEGERS: &[&str] = &["x", "i", "i + x", "x - i"];
const TRUTHS: &[&str] = &["x <= y", "x == y", "x < y"];
const INNER_TRUTHS: &[&str] = &["i <= x", "i == x", "x <= y", "i < k + x"];
// Rules speak of vectors that have a component for each resource: no position is written as a number.
const VECTORS: &[&str] = &[
    "x * unitvec(y)",
    "unitvec(x)",
    "x * unitvec(-0) + y * unitvec(-1)",
    "x * unitvec(x) + y * unitvec(y)",
];
const INNER_VECTORS: &[&str] = &[
    "x * unitvec(i)",
    "i * unitvec(x)",
    "x * unitvec(-0) + i * unitvec(-1)",
    "x * unitvec(-1) + y * i * unitvec(i)",
];
// Laws have few values, so that many copies can be enumerated.
const LAWS: &[&str] = &[
    "bernoulli(1/3)",
    "mixture(1/4, 1, 3/4, 3)",
    "binomial(2, 1/2)",
    "mixture(1/2, x, 1/2, 0)",
    "mixture(1/3, -2, 2/3, x)",
];
const INNER_LAWS: &[&str] = &[
    "bernoulli(1/3)",
    "mixture(1/3, -2, 2/3, x)",
    "mixture(1/2, i, 1/2, x)",
    "i + bernoulli(1/2)",
    "mixture(1/4, i * k, 3/4, 0)",
];
const COUNTS: &[&str] = &[
    "bernoulli(1/3)",
    "binomial(2, 1/2)",
    "mixture(1/4, 1, 3/4, 3)",
    "1 + bernoulli(1/2)",
];
const SCHEMAS_OF_TRUTH: &[&str] = &[
    "x * u + y",
    "u",
    "if (u) x else y",
    "if (u) i else x",
    "(1 - u) * i",
];
const SCHEMAS: &[&str] = &[
    "u",
    "x * u + y",
    "u ^ 2",
    "x * u ^ 2 - u",
    "u ^ 3 + x",
    "max(u, x)",
    "(u <= x)",
    "u * (u < x) + y",
];
const SCHEMAS_OF_TWO: &[&str] = &["u", "v", "u * v", "x * u + y * v", "v ^ 2 + x", "u ^ 2 + v"];

impl Instance {
    /// A random instance. `extended`: a variable that mentions an index although a guard forbids it.
    pub fn random(
        variables: &Variables,
        extended: Option<(&str, &str)>,
        random: &mut Random,
    ) -> Instance {
        let mut instance = Instance {
            numeric: random.chance(1, 6),
            small: variables.speak_of_laws(),
            ..Instance::default()
        };
        for variable in &variables.list {
            let forced = extended.filter(|(name, _)| *name == variable.name);
            instance.choose(variable, forced.map(|(_, index)| index), random);
        }
        for schema in &variables.schemas {
            instance.choose_schema(schema, random);
        }
        instance
    }

    fn choose(&mut self, variable: &Variable, forced: Option<&str>, random: &mut Random) {
        let scope = match forced {
            Some(index) => vec![index.to_string()],
            None => variable.scope.clone(),
        };
        let shapes = match (variable.kind, scope.is_empty()) {
            (Kind::Scalar, true) => CONSTANTS,
            (Kind::Scalar, false) => BODIES,
            (Kind::Integer, true) if self.numeric => NUMBERS,
            (Kind::Integer, true) => INTEGERS,
            (Kind::Order, true) => ORDERS,
            (Kind::Integer | Kind::Order, false) => INNER_INTEGERS,
            (Kind::Cumulant, _) => CUMULANTS,
            (Kind::Truth, true) => TRUTHS,
            (Kind::Truth, false) => INNER_TRUTHS,
            (Kind::Vector, true) => VECTORS,
            (Kind::Vector, false) => INNER_VECTORS,
            (Kind::Law, true) => LAWS,
            (Kind::Law, false) => INNER_LAWS,
            (Kind::Count, _) => COUNTS,
        };
        let mut shape = *random.pick(shapes);
        while forced.is_some() && !mentions_index(shape) {
            shape = *random.pick(shapes);
        }
        let integral = matches!(variable.kind, Kind::Integer | Kind::Order);
        let term = self.build(shape, &variable.name, integral, &scope, random);
        self.terms.insert(variable.name.clone(), term);
        if variable.list {
            let count = random.below(LONGEST_LIST);
            let elements = (0..count).map(|number| {
                let name = format!("{}_{number}", variable.name);
                let shape = *random.pick(shapes);
                self.build(shape, &name, integral, &scope, random)
            });
            let elements = elements.collect();
            self.lists.insert(variable.name.clone(), elements);
        }
    }

    fn choose_schema(&mut self, schema: &Schema, random: &mut Random) {
        let shapes = match (schema.of_truth, schema.arity) {
            (true, _) => SCHEMAS_OF_TRUTH,
            (false, 2) => SCHEMAS_OF_TWO,
            _ => SCHEMAS,
        };
        let shape = random.pick(shapes);
        let term = self.build(shape, &schema.name, false, &schema.scope, random);
        self.schemas.insert(schema.name.clone(), term);
    }

    /// The shape with its own parameters, called after the variable.
    fn build(
        &mut self,
        shape: &str,
        variable: &str,
        integral: bool,
        scope: &[String],
        random: &mut Random,
    ) -> Expr {
        let Ok((shape, _)) = parse_expression("shape", shape) else {
            return name(variable);
        };
        let (first, second) = (variable.to_string(), format!("{variable}1"));
        let outer = random.below(scope.len());
        let index = |n: usize| scope.get((outer + n) % scope.len().max(1)).map(|i| name(i));
        let used = std::cell::RefCell::new(Vec::new());
        let parameter = |text: &str| {
            used.borrow_mut().push(text.to_string());
            Some(name(text))
        };
        let term = substitute(&shape, &|placeholder| match placeholder {
            "x" => parameter(&first),
            "y" => parameter(&second),
            "i" => index(0),
            "k" => index(1),
            _ => None,
        });
        let positional = positions_of(&shape);
        for used in used.into_inner() {
            let place = if used == first { "x" } else { "y" };
            let parameter = Parameter {
                name: used,
                integral: integral || positional.contains(&place.to_string()),
                small: self.small,
            };
            if !self
                .parameters
                .iter()
                .any(|known| known.name == parameter.name)
            {
                self.parameters.push(parameter);
            }
        }
        term
    }

    /// An operand, or those that a list is.
    fn elements(&self, operand: &Expr) -> Vec<Expr> {
        match &operand.kind {
            ExprKind::Call(sign, inner) if sign.text == SPREAD => match &inner[0].kind {
                ExprKind::Name(name) => self.lists.get(name).cloned().unwrap_or_default(),
                _ => Vec::new(),
            },
            _ => vec![self.apply(operand)],
        }
    }

    /// A side or a guard of the rule in this instance.
    pub fn apply(&self, expr: &Expr) -> Expr {
        match &expr.kind {
            ExprKind::Name(variable) => self
                .terms
                .get(variable)
                .cloned()
                .unwrap_or_else(|| expr.clone()),
            ExprKind::Call(function, operands) => {
                if let ("at", [body, index, value]) = (function.text.as_str(), &operands[..])
                    && let ExprKind::Name(index) = &index.kind
                {
                    let value = self.apply(value);
                    return substitute(&self.apply(body), &|name| {
                        (name == index).then(|| value.clone())
                    });
                }
                let Some(schema) = self.schemas.get(&function.text) else {
                    let operands = operands.iter().flat_map(|operand| self.elements(operand));
                    return spelled(function, operands.collect());
                };
                let arguments: Vec<Expr> =
                    operands.iter().map(|operand| self.apply(operand)).collect();
                substitute(schema, &|name| match name {
                    "u" => arguments.first().cloned(),
                    "v" => arguments.get(1).cloned(),
                    _ => None,
                })
            }
            _ => map_operands(expr, &mut |operand| self.apply(operand)),
        }
    }
}

/// A call as a model would write it.
fn spelled(function: &Name, mut operands: Vec<Expr>) -> Expr {
    let one = |number: i64| node(ExprKind::Number(number.into()));
    let kind = match (function.text.as_str(), operands.len()) {
        ("total", 0) => return one(0),
        ("product", 0) => return one(1),
        ("total" | "product", 1) => return operands.remove(0),
        ("total", _) => {
            let first = Box::new(operands.remove(0));
            let rest = operands.into_iter().map(|e| (AddOp::Add, e));
            ExprKind::Sum(first, rest.collect())
        }
        ("product", _) => {
            let first = Box::new(operands.remove(0));
            let rest = operands.into_iter().map(|e| (MulOp::Multiply, e));
            ExprKind::Product(first, rest.collect())
        }
        ("K", 2) => {
            let name = match operands[0].to_string().as_str() {
                "1" => "E",
                "2" => "Var",
                "3" => "K3",
                _ => "K4",
            };
            operands.remove(0);
            ExprKind::Call(label(name), operands)
        }
        ("prob", 3) => {
            let relation = match operands[0].to_string().as_str() {
                "1" => Relation::Less,
                "2" => Relation::LessEqual,
                "3" => Relation::Greater,
                _ => Relation::GreaterEqual,
            };
            let bound = Box::new(operands.remove(2));
            let law = Box::new(operands.remove(1));
            let comparison = node(ExprKind::Compare(relation, law, bound));
            ExprKind::Call(function.clone(), vec![comparison])
        }
        _ => ExprKind::Call(function.clone(), operands),
    };
    node(kind)
}

/// True if a shape mentions the index `i`.
fn mentions_index(shape: &str) -> bool {
    let mut words = shape.split(|c: char| !c.is_alphanumeric());
    words.any(|word| word == "i")
}

/// The names that stand alone as positions of unit vectors.
fn positions_of(expr: &Expr) -> Vec<String> {
    let mut found = Vec::new();
    if let ExprKind::Call(function, operands) = &expr.kind
        && function.text == "unitvec"
        && let Some(ExprKind::Name(position)) = operands.last().map(|e| &e.kind)
    {
        found.push(position.clone());
    }
    map_operands(expr, &mut |operand| {
        found.extend(positions_of(operand));
        operand.clone()
    });
    found
}
