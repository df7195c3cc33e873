//! Components of vectors, by their form.
//!
//! A list `[e0, ..., en]` has the components 0 to n, whatever their values. `unitvec(n)` with a
//! number `n` is such a list. Any other unit vector has a component for each element of each array;
//! all but one are 0. A sum, product, choice or elementwise maximum has the components of all its
//! operands, evaluated or not. A reduction has those of its body, even over an empty range.
//! Components that an operand lacks are 0.

use super::Model;
use super::predefined::{FCFS, Measure};
use super::walk::with_stack;
use crate::syntax::tree::{Expr, ExprKind, Type, Value as Definition};

/// `unitvec(n)` is written out as a list below this length.
const LONGEST_LIST: i64 = 4096;

/// The components of a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Extent {
    /// Components 0, 1, ... of the predefined array, and their number.
    List(usize),
    /// A component for each element of each array.
    Everywhere,
}

impl Extent {
    /// The components of a unit vector with these arguments.
    pub fn of_unit_vector(arguments: &[Expr]) -> Extent {
        let index = match arguments {
            [index] => index,
            [array, index] if matches!(&array.kind, ExprKind::Name(name) if name == FCFS) => index,
            _ => return Extent::Everywhere,
        };
        let number = match &index.kind {
            ExprKind::Number(value) if value.is_integer() => value.to_i64(),
            _ => None,
        };
        match number.filter(|n| (0..LONGEST_LIST).contains(n)) {
            Some(last) => Extent::List(last as usize + 1),
            None => Extent::Everywhere,
        }
    }
}

/// The components of an equation: its own, and those of the arguments at some positions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Shape {
    own: Option<Extent>,
    arguments: Vec<usize>,
}

/// The shape of every equation; `order` lists each after those that it mentions.
pub(super) fn of_equations(model: &Model, order: &[usize]) -> Vec<Shape> {
    let mut shapes = vec![Shape::default(); model.equations.len()];
    for &position in order {
        let equation = &model.equations[position];
        let Some(Definition::Numeric(value)) = &equation.value else {
            continue;
        };
        let mut shape = Shape::default();
        let formal = |name: &str| equation.formals.iter().position(|f| f.text == name);
        collect(model, &shapes, value, &mut |found| match found {
            ComponentSource::Components(extent) => shape.own = shape.own.max(Some(extent)),
            ComponentSource::Name(name) => match formal(name) {
                Some(argument) => shape.arguments.push(argument),
                None => {
                    let known = model.position(name).and_then(|p| shapes[p].own);
                    shape.own = shape.own.max(known);
                }
            },
        });
        shape.arguments.sort_unstable();
        shape.arguments.dedup();
        shapes[position] = shape;
    }
    shapes
}

/// Source of the components of an expression.
enum ComponentSource<'e> {
    Components(Extent),
    /// A name of the model or of the scope.
    Name(&'e str),
}

impl Model {
    /// The components of the equation without arguments at `position`, if it is a vector.
    pub fn extent_of(&self, position: usize) -> Option<Extent> {
        self.shapes[position].own
    }

    /// The components of a vector by its form; `None` for other expressions.
    ///
    /// `local` decides for names that are not the model's.
    pub fn extent(
        &self,
        expr: &Expr,
        local: &dyn Fn(&str) -> Option<Option<Extent>>,
    ) -> Option<Extent> {
        let mut extent = None;
        let mut names: Vec<&str> = Vec::new();
        collect(self, &self.shapes, expr, &mut |found| match found {
            ComponentSource::Components(own) => extent = extent.max(Some(own)),
            ComponentSource::Name(name) => names.push(name),
        });
        for name in names {
            let found = match local(name) {
                Some(known) => known,
                None => self.position(name).and_then(|p| self.shapes[p].own),
            };
            extent = extent.max(found);
        }
        extent
    }
}

/// Tells of all that is added, multiplied or chosen in `expr` where its components come from.
fn collect<'e>(
    model: &Model,
    shapes: &[Shape],
    expr: &'e Expr,
    tell: &mut dyn FnMut(ComponentSource<'e>),
) {
    with_stack(|| match &expr.kind {
        ExprKind::Vector(elements) => {
            tell(ComponentSource::Components(Extent::List(elements.len())))
        }
        ExprKind::Name(name) => tell(ComponentSource::Name(name)),
        ExprKind::Negate(e) => collect(model, shapes, e, tell),
        ExprKind::Sum(first, rest) => {
            collect(model, shapes, first, tell);
            rest.iter()
                .for_each(|(_, e)| collect(model, shapes, e, tell));
        }
        ExprKind::Product(first, rest) => {
            collect(model, shapes, first, tell);
            rest.iter()
                .for_each(|(_, e)| collect(model, shapes, e, tell));
        }
        ExprKind::If(_, a, b) => {
            collect(model, shapes, a, tell);
            collect(model, shapes, b, tell);
        }
        ExprKind::Switch(cases) => {
            let parts = cases.iter();
            parts.for_each(|(_, e)| collect(model, shapes, e, tell));
        }
        ExprKind::Graph(_) => {}
        ExprKind::Reduce(reduction) => {
            let index = reduction.range.index.text.as_str();
            collect(model, shapes, &reduction.body, &mut |found| match found {
                ComponentSource::Name(name) if name == index => {}
                other => tell(other),
            });
        }
        ExprKind::Call(name, arguments) => match (name.text.as_str(), model.callee(&name.text)) {
            (_, Some(position)) if model.equations[position].kind == Type::Numeric => {
                let shape = &shapes[position];
                shape
                    .own
                    .into_iter()
                    .for_each(|own| tell(ComponentSource::Components(own)));
                for argument in shape.arguments.iter().filter_map(|&k| arguments.get(k)) {
                    collect(model, shapes, argument, tell);
                }
            }
            (_, Some(_)) => {}
            (_, None)
                if model
                    .measure(name, arguments)
                    .is_some_and(|m| m.0 == Measure::Demand) =>
            {
                tell(ComponentSource::Components(Extent::Everywhere));
            }
            ("unitvec", None) => tell(ComponentSource::Components(Extent::of_unit_vector(
                arguments,
            ))),
            // One vector has a largest component; several have a largest one each.
            ("max" | "min", None) if arguments.len() == 1 => {}
            (_, None) => arguments
                .iter()
                .for_each(|a| collect(model, shapes, a, tell)),
        },
        _ => {}
    });
}
