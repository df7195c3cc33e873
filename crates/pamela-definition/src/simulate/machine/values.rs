//! Times, bounds and conditions in the scope of a frame.

use num_rational::BigRational;
use num_traits::ToPrimitive;

use super::{Halt, Machine};
use crate::diagnostic::{Diagnostic, Span};
use crate::model::{Choice, Decision, Names, Number};
use crate::simulate::chance::{mix, uniform};
use crate::simulate::code::{Code, Id, Scope};
use crate::simulate::frames::Frames;
use crate::simulate::time::Time;

/// Variation of a time between evaluations, as far as known.
pub enum TimeKind<T> {
    Nothing,
    Constant(T),
    /// Exponential, with this mean.
    Exponential(f64),
    /// Uniform, between these ends.
    Uniform(f64, f64),
    /// Evaluated each time.
    Varies,
}

/// The constant value of a condition, a `switch` or a bound.
#[derive(Clone)]
pub enum Certain {
    Decision(Decision),
    Choice(Choice),
    Bound(i64),
}

/// `count` indices: `first, first + step, ...`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Indices {
    pub first: i64,
    pub step: i64,
    pub count: u64,
}

impl Indices {
    /// Indices until `bound` is passed; the step is not 0.
    fn new(first: i64, bound: i64, step: i64) -> Indices {
        let behind = if step > 0 {
            bound < first
        } else {
            bound > first
        };
        let steps = bound.abs_diff(first) / step.unsigned_abs();
        Indices {
            first,
            step,
            count: if behind { 0 } else { steps.saturating_add(1) },
        }
    }

    /// The index at a position below the count.
    pub fn at(self, position: u64) -> i64 {
        self.first
            .wrapping_add(self.step.wrapping_mul(position as i64))
    }
}

/// Draws that tell which share of a law is below 0.
const DRAWS: u64 = 1000;

impl<'m, T: Time> Machine<'_, 'm, T> {
    /// The key of the next random number of a frame, which is used up.
    pub(super) fn draw(&mut self, frame: u32) -> u64 {
        let key = self.next_key(frame);
        self.frames[frame].draws += 1;
        key
    }

    fn next_key(&self, frame: u32) -> u64 {
        let frame = &self.frames[frame];
        mix(frame.stream, frame.draws)
    }

    /// A value has been found with the next key of the frame, which is used up where chance had a part.
    fn has_drawn(&mut self, frame: u32, random: bool) {
        self.random |= random;
        self.frames[frame].draws += u64::from(random);
    }

    /// The names that are seen in a scope of the frame.
    pub(super) fn names(&self, frame: u32, scope: u32) -> Names<'m> {
        names(self.code, &self.frames, frame, scope)
    }

    /// The time that an expression is, for one frame once.
    pub(super) fn time(&mut self, frame: u32, id: Id) -> Result<T, Halt> {
        match self.learnt[id as usize] {
            TimeKind::Constant(time) => return Ok(time),
            TimeKind::Exponential(mean) => {
                let share = uniform(self.draw(frame));
                return Ok(T::of_real(mean * -share.ln())?);
            }
            TimeKind::Uniform(lower, upper) => {
                let share = uniform(self.draw(frame));
                return Ok(T::of_real(lower + (upper - lower) * share)?);
            }
            TimeKind::Nothing => {
                if let Some(learnt) = self.learn(id) {
                    self.learnt[id as usize] = learnt;
                    self.random = true;
                    return self.time(frame, id);
                }
            }
            TimeKind::Varies => {}
        }
        let place = &self.code.expressions[id as usize];
        let names = self.names(frame, place.scope);
        let key = self.next_key(frame);
        let (value, random) = self.evaluator.draw(place.expr, &names, key)?;
        self.has_drawn(frame, random);
        if value.order(&Number::zero()).is_lt() {
            return self.below_zero(id, &names, &value, random);
        }
        let time = T::of_number(&value, self.clock)?;
        self.learnt[id as usize] = if place.global && !random {
            TimeKind::Constant(time)
        } else {
            TimeKind::Varies
        };
        Ok(time)
    }

    /// Laws that are drawn here, without the evaluator.
    fn learn(&mut self, id: Id) -> Option<TimeKind<T>> {
        let place = &self.code.expressions[id as usize];
        if !place.global {
            return None;
        }
        let (name, arguments) = self.evaluator.plain_law(place.expr)?;
        let arguments: Vec<f64> = arguments.iter().map(Number::to_f64).collect();
        match (name, &arguments[..]) {
            ("exponential", &[mean]) => Some(TimeKind::Exponential(mean)),
            ("uniform", &[lower, upper]) if lower >= 0.0 && lower < upper => {
                Some(TimeKind::Uniform(lower, upper))
            }
            _ => None,
        }
    }

    fn below_zero(
        &mut self,
        id: Id,
        names: &Names<'m>,
        value: &Number,
        random: bool,
    ) -> Result<T, Halt> {
        if random && self.options.clip {
            self.clipped += 1;
            self.learnt[id as usize] = TimeKind::Varies;
            return Ok(T::ZERO);
        }
        let expr = self.code.expressions[id as usize].expr;
        if !random {
            let message = format!("a time of {value}");
            let diagnostic = Diagnostic::error(message, expr.span, "a time is at least 0");
            return Err(diagnostic.into());
        }
        let mut below = 0_u64;
        for key in 0..DRAWS {
            let (value, _) = self.evaluator.draw(expr, names, mix(self.key, key))?;
            below += u64::from(value.order(&Number::zero()).is_lt());
        }
        let share = below as f64 * 100.0 / DRAWS as f64;
        let share = match below {
            0 => format!("less than one of {DRAWS} draws is"),
            _ => format!("{share} % of {DRAWS} draws are"),
        };
        let message = format!("a time of {value} is drawn");
        let label = format!("{share} below 0");
        Err(Diagnostic::error(message, expr.span, label)
            .hint("use a law of times from 0 on, or count such draws as 0 with `--negative clip`")
            .into())
    }

    /// The indices of a range.
    pub(super) fn indices(&mut self, frame: u32, range: u32) -> Result<Indices, Halt> {
        let code = self.code;
        let range = &code.ranges[range as usize];
        let first = self.bound(frame, range.lower, None)?;
        let step = match range.step {
            Some(step) => self.bound(frame, step, None)?,
            None => 1,
        };
        let bound = self.bound(frame, range.upper, Some(step))?;
        if let (0, Some(step)) = (step, &range.range.step) {
            let message = "the step of a range is 0";
            return Err(Diagnostic::error(message, step.span, "must not be 0").into());
        }
        Ok(Indices::new(first, bound, step))
    }

    /// A bound of a loop. The end of a loop with a step is rounded towards the beginning.
    fn bound(&mut self, frame: u32, id: Id, end_by: Option<i64>) -> Result<i64, Halt> {
        if let Some(Certain::Bound(bound)) = self.certain[id as usize] {
            return Ok(bound);
        }
        let place = &self.code.expressions[id as usize];
        let names = self.names(frame, place.scope);
        let key = self.next_key(frame);
        let (value, random) = self.evaluator.draw(place.expr, &names, key)?;
        self.has_drawn(frame, random);
        let bound = if is_whole(&value, place.expr.span)? {
            whole(&value, place.expr.span)?
        } else if random {
            // Up or down, so that the mean is kept.
            self.rounded = true;
            let up = uniform(self.draw(frame));
            whole(
                &Number::double((value.to_f64() + up).floor()),
                place.expr.span,
            )?
        } else {
            let rounded = match end_by {
                Some(step) if step > 0 => value.floor(),
                Some(_) => value.ceil(),
                None => {
                    let message = format!("a loop bound of {value}");
                    let diagnostic =
                        Diagnostic::error(message, place.expr.span, "expected a whole number");
                    return Err(diagnostic
                        .hint("round it with `floor` or `ceil`, or choose other values")
                        .into());
                }
            };
            let label = "expected a whole number";
            let rounded =
                rounded.map_err(|fault| Diagnostic::error(fault, place.expr.span, label))?;
            whole(&rounded, place.expr.span)?
        };
        if place.global && !random {
            self.certain[id as usize] = Some(Certain::Bound(bound));
        }
        Ok(bound)
    }

    /// Number of branches that must end, of `branches`.
    pub(super) fn quorum(&mut self, frame: u32, range: u32, branches: u64) -> Result<u64, Halt> {
        let code = self.code;
        let Some(quorum) = code.ranges[range as usize].quorum else {
            return Ok(1);
        };
        let place = &code.expressions[quorum as usize];
        let names = self.names(frame, place.scope);
        let value = self.evaluator.scalar_of(place.expr, &names)?;
        let exact = value.as_exact().filter(|k| k.is_integer());
        let k = exact.and_then(|k| k.numer().to_u64());
        k.filter(|k| (1..=branches).contains(k)).ok_or_else(|| {
            let message = format!("the quorum is {value}, not one of 1, ..., {branches}");
            let label = "must be an integer between 1 and the number of iterations";
            Diagnostic::error(message, place.expr.span, label).into()
        })
    }

    pub(super) fn decision(&mut self, frame: u32, id: Id) -> Result<Decision, Halt> {
        if let Some(Certain::Decision(decision)) = &self.certain[id as usize] {
            return Ok(decision.clone());
        }
        let place = &self.code.expressions[id as usize];
        let names = self.names(frame, place.scope);
        let key = self.next_key(frame);
        let (decision, random) = self.evaluator.decision(place.expr, &names, key)?;
        self.has_drawn(frame, random);
        if place.global && !random {
            self.certain[id as usize] = Some(Certain::Decision(decision.clone()));
        }
        Ok(decision)
    }

    pub(super) fn choice(&mut self, frame: u32, choice: u32) -> Result<Choice, Halt> {
        let slot = self.code.expressions.len() + choice as usize;
        if let Some(Certain::Choice(choice)) = &self.certain[slot] {
            return Ok(choice.clone());
        }
        let cases = &self.code.choices[choice as usize];
        let names = self.names(frame, cases.scope);
        let key = self.next_key(frame);
        let (choice, random) = self
            .evaluator
            .choice(&cases.conditions, cases.span, &names, key)?;
        self.has_drawn(frame, random);
        if cases.global && !random {
            self.certain[slot] = Some(Certain::Choice(choice.clone()));
        }
        Ok(choice)
    }
}

fn is_whole(value: &Number, span: Span) -> Result<bool, Diagnostic> {
    let label = "expected a whole number";
    let whole = value.is_integer();
    whole.map_err(|fault| Diagnostic::error(fault, span, label))
}

/// A whole number as an index.
fn whole(value: &Number, span: Span) -> Result<i64, Diagnostic> {
    let index = match value {
        Number::Exact(value) => value.numer().to_i64(),
        Number::Real(_) => {
            let nearest = BigRational::from_float(value.to_f64());
            nearest.and_then(|v| v.numer().to_i64())
        }
    };
    index.ok_or_else(|| {
        let message = format!("a loop bound of {value}");
        Diagnostic::error(message, span, "too large for an index").hint("use smaller values")
    })
}

fn names<'m>(code: &Code<'m>, frames: &Frames<'m>, mut frame: u32, mut scope: u32) -> Names<'m> {
    let mut indices = Vec::new();
    let mut names = loop {
        match code.scopes[scope as usize] {
            Scope::Nothing => break Names::default(),
            Scope::Arguments => break frames[frame].arguments.clone().unwrap_or_default(),
            Scope::Outer(outer) => {
                frame = frames[frame].parent;
                scope = outer;
            }
            Scope::Index(name, outer) => {
                indices.push((name, frames[frame].index));
                scope = outer;
            }
            Scope::Slot(name, slot, outer) => {
                indices.push((name, frames[frame].slots[slot]));
                scope = outer;
            }
        }
    };
    for (name, index) in indices.into_iter().rev() {
        names = names.with_index(name, index);
    }
    names
}
