//! Instances as expressions of an arena, on which rules are tried.

use crate::expr::{Arena, ExprId};
use crate::model::Model;
use crate::syntax::NoFiles;
use crate::syntax::tree::{Equation, Expr, Item, Model as Tree, Type, Value};
use crate::timing;

use super::instance::Parameter;
use crate::syntax::rewrite::label;

/// The expressions, all over the same parameters, in one arena; `None` if the language rejects one.
pub fn lower(parameters: &[Parameter], expressions: &[Expr]) -> Option<(Arena, Vec<ExprId>)> {
    let mut items: Vec<Item> = Vec::new();
    for parameter in parameters {
        items.push(equation(&parameter.name, None));
    }
    // Parameters are called after variables, which are single words.
    let result = |number: usize| format!("result_{number}");
    for (number, expression) in expressions.iter().enumerate() {
        items.push(equation(&result(number), Some(expression.clone())));
    }
    let model = Model::check(Tree::of(items), Default::default(), &NoFiles).ok()?;
    let mut arena = Arena::new();
    let lowered = timing::lower(&model, &mut arena).ok()?;
    let find = |number: usize| {
        let name = result(number);
        let equation = lowered.equations.iter().find(|e| e.name == name)?;
        Some(equation.expr)
    };
    let found: Option<Vec<ExprId>> = (0..expressions.len()).map(find).collect();
    Some((arena, found?))
}

fn equation(name: &str, value: Option<Expr>) -> Item {
    Item::Equation(Equation {
        kind: Type::Numeric,
        parameter: value.is_none(),
        name: label(name),
        formals: Vec::new(),
        defaults: Vec::new(),
        formal_units: Box::default(),
        kept: false,
        auxiliary: false,
        facts: Vec::new(),
        value: value.map(Value::Numeric),
        comment: None,
        span: Default::default(),
    })
}
