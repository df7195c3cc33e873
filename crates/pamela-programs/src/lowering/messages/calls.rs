//! Calls of MPI in the walk.

use crate::lowering::KnownValue;
use crate::lowering::message::{Collective, End, Kind, Transfer, Way, is_somebody, somebody};
use crate::lowering::mpi::{
    self, ALL, Call, Elements, FIRST_GRID, FIRST_GROUP, MessageArguments, SELF,
};
use crate::lowering::number::{Condition, Number, Symbol};
use crate::lowering::part::{Parameter, ParameterKind, Part};
use crate::lowering::value::Value;
use crate::lowering::walker::Walker;
use crate::problem::Problem;
use crate::source::tree::*;

/// Maximum number of dimensions of grids.
pub const MOST_DIMENSIONS: i64 = 8;

/// The ranks of a communicator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    All,
    One,
    /// Some ranks, by the index of their communicator.
    Some(usize),
    Unknown,
}

/// A call with the values of its arguments.
pub struct Called<'a> {
    /// Name without `MPI_`.
    pub name: &'a str,
    pub arguments: &'a [Expression],
    pub values: &'a [Value],
    pub span: Span,
    pub before: PriorValues,
}

/// Values before a call of the variables that it writes.
#[derive(Clone, Debug, Default)]
pub struct PriorValues {
    /// Value at the root of a broadcast; afterwards all ranks have it.
    broadcast: Option<Number>,
    /// The given extents of a grid.
    pub extents: Vec<Option<Number>>,
}

impl Called<'_> {
    pub fn number(&self, place: usize) -> Option<Number> {
        let value = self.values.get(place)?;
        value.number.clone().filter(|_| !value.real)
    }

    pub fn group(&self, place: usize) -> Group {
        match self.number(place).and_then(|number| number.as_constant()) {
            Some(ALL) => Group::All,
            Some(SELF) => Group::One,
            Some(group) if group >= FIRST_GROUP => {
                usize::try_from(group - FIRST_GROUP).map_or(Group::Unknown, Group::Some)
            }
            Some(grid) if grid >= FIRST_GRID => Group::All,
            _ => Group::Unknown,
        }
    }

    /// True if the communicator in this place is that of all ranks.
    pub fn is_of_all(&self, place: usize) -> bool {
        self.group(place) == Group::All
    }
}

impl Walker<'_> {
    /// The values before an MPI call of the variables that it writes.
    pub fn before_message(
        &self,
        name: &str,
        arguments: &[Expression],
        values: &[Value],
    ) -> PriorValues {
        match mpi::plain(name) {
            Some("Bcast") => PriorValues {
                broadcast: self.broadcast(arguments, values),
                ..PriorValues::default()
            },
            Some("Dims_create") => {
                let array = arguments
                    .get(2)
                    .and_then(Expression::name)
                    .unwrap_or_default();
                let element = |k| self.values.get(&format!("{array}[{k}]"))?.value.clone();
                PriorValues {
                    extents: (0..MOST_DIMENSIONS).map(element).collect(),
                    ..PriorValues::default()
                }
            }
            _ => PriorValues::default(),
        }
    }

    fn broadcast(&self, arguments: &[Expression], values: &[Value]) -> Option<Number> {
        let ExpressionKind::Unary(operator, inner) = &arguments.first()?.kind else {
            return None;
        };
        let value = self
            .values
            .get(&self.known_place(inner).filter(|_| operator == "&")?)?;
        let root = values.get(3)?.number.clone()?;
        value.value.as_ref()?.with(self.world.as_ref()?.rank, &root)
    }

    /// The value of a call of MPI, with its part among the pending ones. The values of variables that it writes are
    /// already forgotten.
    pub fn message_call(&mut self, called: &Called) -> Value {
        let call = mpi::call(called.name);
        match call {
            Call::Free => {}
            Call::Wait => self.pending.push(Part::Wait),
            Call::Point {
                sent,
                received,
                communicator,
                at_once,
            } => match called.group(communicator) {
                group @ (Group::All | Group::Some(_)) => {
                    let part = self.transfer(called, sent, received, at_once, group);
                    self.pending.push(part);
                }
                group => self.elsewhere(called, group),
            },
            Call::Prepared { sent, received } => self.prepare(called, sent, received),
            Call::Start | Call::StartAll => self.start(called, call),
            Call::Together {
                kind,
                words,
                in_place,
                communicator,
                at_once,
            } => {
                // The root of a communicator of some ranks has another number there.
                if let (Some(number), Some(place), true) = (
                    &called.before.broadcast,
                    called.arguments.first(),
                    called.is_of_all(communicator),
                ) {
                    self.give(place, number.clone(), called.span);
                }
                let lies_there = called.arguments.first().and_then(Expression::name);
                let words = match lies_there {
                    Some("MPI_IN_PLACE") => in_place,
                    _ => words,
                };
                match called.group(communicator) {
                    group @ (Group::All | Group::Some(_)) => {
                        self.together(called, kind, words, at_once, group);
                    }
                    group => self.elsewhere(called, group),
                }
            }
            Call::Refused(reason) => {
                self.not_modelled(called, format!("`MPI_{}` {reason}", called.name))
            }
            call => self.asked(called, call),
        }
        Value::integer(Some(Number::constant(0)))
    }

    /// Calls that say something of ranks, grids and types.
    fn asked(&mut self, called: &Called, call: Call) {
        let group = called.group(0);
        let known = match (call, &self.world) {
            (Call::Rank | Call::Size, _) if group == Group::One => {
                Some((1, Number::constant(i64::from(call == Call::Size))))
            }
            (Call::Split, _) => self.group_of(called, call).map(|group| (3, group)),
            (Call::SubGrid, _) => self.group_of(called, call).map(|group| (2, group)),
            (Call::Rank | Call::Size, _) if matches!(group, Group::Some(_)) => {
                let Group::Some(group) = group else { return };
                let group = self.groups.get(group);
                let number = group.map(|group| match call {
                    Call::Rank => group.rank.clone(),
                    _ => group.size.clone(),
                });
                number.map(|number| (1, number))
            }
            (Call::Rank, Some(world)) if group == Group::All => {
                Some((1, Number::symbol(world.rank)))
            }
            (Call::Size, Some(world)) if group == Group::All => Some((1, world.ranks.clone())),
            (Call::Duplicate, _) => called.number(0).map(|same| (1, same)),
            (Call::SameType, _) => called
                .number(0)
                .map(|same| (called.arguments.len() - 1, same)),
            (Call::Contiguous, _) => self.bytes(called, &[0, 1]).map(|bytes| (2, bytes)),
            (Call::Vector, _) => self.bytes(called, &[0, 1, 3]).map(|bytes| (4, bytes)),
            (Call::Subarray, _) => self.subarray(called).map(|bytes| (6, bytes)),
            (Call::Bytes, _) => called.number(0).map(|bytes| (1, bytes)),
            (Call::MadeType, _) => {
                let last = called.arguments.len().saturating_sub(1);
                let bytes = self.bytes_of_parts(called);
                Some((last, bytes.unwrap_or_else(|| self.type_of(called, last))))
            }
            (Call::GridOf, _) => self.grid_of(called).map(|grid| (5, grid)),
            (Call::Coordinates | Call::Shift | Call::RankAt | Call::Extents | Call::Extent, _) => {
                if self.of_grid(called, call).is_none() {
                    self.not_known(called);
                }
                return;
            }
            _ => None,
        };
        let place = known.and_then(|(place, number)| Some((called.arguments.get(place)?, number)));
        match place {
            Some((place, number)) if is_address(place) => self.give(place, number, called.span),
            _ => self.not_known(called),
        }
    }

    fn not_known(&mut self, called: &Called) {
        let text = self.whole.snippet(self.function, called.span);
        let problem = Problem::new(format!(
            "`{text}` is not understood: a communicator of some of the ranks, or a size that depends on data"
        ));
        self.unsure(problem.at(self.place(called.span)));
    }

    pub fn not_modelled(&mut self, called: &Called, reason: String) {
        let problem = Problem::new(reason)
            .at(self.place(called.span))
            .hint("give its cost in front of the statement: #pragma pamela cost(a * n)");
        let part = self.opaque(called.span, problem);
        self.pending.push(part);
    }

    /// A single rank sends nothing to others.
    pub fn elsewhere(&mut self, called: &Called, group: Group) {
        if group == Group::Unknown {
            let reason = format!(
                "`MPI_{}` has a communicator of some of the ranks: it is not modelled",
                called.name
            );
            self.not_modelled(called, reason);
        }
    }

    /// Stores a number through a pointer argument.
    pub fn give(&mut self, argument: &Expression, number: Number, span: Span) {
        if let ExpressionKind::Unary(operator, inner) = &argument.kind
            && operator == "&"
        {
            self.assign(inner, Value::integer(Some(number)), span);
        }
    }

    fn bytes(&mut self, called: &Called, places: &[usize]) -> Option<Number> {
        let numbers = places.iter().map(|place| called.number(*place));
        numbers
            .into_iter()
            .try_fold(Number::constant(1), |product, number| {
                product.times(&number?)
            })
    }

    /// A part of an array: the product of its extents.
    fn subarray(&mut self, called: &Called) -> Option<Number> {
        let extents = self.elements_at(called, 2)?;
        let mut extents = extents.iter();
        extents.try_fold(called.number(5)?, |product, extent| product.times(extent))
    }

    /// A type of blocks of several lengths, or of several types.
    fn bytes_of_parts(&mut self, called: &Called) -> Option<Number> {
        if called.name == "Type_create_indexed_block" {
            return self.bytes(called, &[0, 1, 3]);
        }
        let lengths = self.elements_at(called, 1)?;
        let types = match called.name {
            "Type_create_struct" | "Type_struct" => self.elements_at(called, 3)?,
            _ => vec![called.number(3)?; lengths.len()],
        };
        let mut blocks = lengths.iter().zip(&types);
        blocks.try_fold(Number::default(), |sum, (length, kind)| {
            sum.plus(&length.times(kind)?)
        })
    }

    /// The elements of an array that a call is handed, whose number it is handed first.
    pub fn elements_at(&self, called: &Called, place: usize) -> Option<Vec<Number>> {
        let count = called.number(0)?.as_constant()?;
        let array = called.arguments.get(place)?.name()?;
        let element = |k| self.values.get(&format!("{array}[{k}]"))?.value.clone();
        (0..count).map(element).collect()
    }

    /// A type that is made of others: its bytes are a parameter.
    fn type_of(&mut self, called: &Called, last: usize) -> Number {
        let text = called.arguments.get(last);
        let text = text.map(|argument| self.whole.snippet(self.function, argument.span));
        let text = text.unwrap_or_default();
        let name = text.trim_start_matches('&');
        self.value_parameter(
            &format!("bytes_of_{name}"),
            called.span,
            &format!("bytes of one {name} that is sent"),
        )
    }

    /// Messages of a call, as far as they have partners.
    pub fn transfer(
        &mut self,
        called: &Called,
        sent: Option<MessageArguments>,
        received: Option<MessageArguments>,
        at_once: bool,
        group: Group,
    ) -> Part {
        let ends = [(Way::Sends, sent), (Way::Receives, received)];
        let (mut found, mut real) = (Vec::new(), Vec::new());
        for (way, places) in ends {
            let Some(places) = places else { continue };
            let words = self.words(called, Some((places.count, places.kind)));
            let partner = called.number(places.partner);
            let partner = match group {
                Group::Some(group) => {
                    let group = self.groups.get(group);
                    partner.and_then(|partner| group?.world(&partner))
                }
                _ => partner,
            };
            real.push(
                partner
                    .as_ref()
                    .map_or(Condition::Constant(true), is_somebody),
            );
            found.push(End {
                way,
                partner: partner.map(somebody),
                tag: called.number(places.tag),
                words,
            });
        }
        let place = self.place(called.span);
        let transfer = |ends: Vec<End>| {
            Part::Transfer(Box::new(Transfer {
                ends,
                at_once,
                place: place.clone(),
            }))
        };
        match (&found[..], &real[..]) {
            ([end], [is_real]) => Part::choice(
                is_real.clone(),
                transfer(vec![end.clone()]),
                Part::nothing(),
            ),
            ([first, second], [sends, receives]) => {
                let both = transfer(found.clone());
                let alone = transfer(vec![first.clone()]);
                let other = transfer(vec![second.clone()]);
                Part::choice(
                    sends.clone(),
                    Part::choice(receives.clone(), both, alone),
                    Part::choice(receives.clone(), other, Part::nothing()),
                )
            }
            _ => Part::nothing(),
        }
    }

    fn together(
        &mut self,
        called: &Called,
        kind: Kind,
        places: Option<(usize, usize)>,
        at_once: bool,
        group: Group,
    ) {
        if self.team.is_some() {
            let reason = format!(
                "`MPI_{}` within a team of threads is not modelled",
                called.name
            );
            return self.not_modelled(called, reason);
        }
        if at_once {
            let reason = format!(
                "`MPI_{}` is modelled as if all ranks waited for it here, not later",
                called.name
            );
            self.unsure(Problem::new(reason).at(self.place(called.span)));
        }
        let words = match kind {
            Kind::Barrier => Number::default(),
            _ => self.words(called, places),
        };
        let kind = match kind {
            Kind::Allreduce if self.in_ring => Kind::AllreduceRing,
            kind => kind,
        };
        if let Group::Some(group) = group {
            return self.among(called, kind, words, group);
        }
        let place = self.place(called.span);
        if let Some(instance) = self.collective(kind) {
            self.pending.push(Part::Collective(Box::new(Collective {
                kind,
                instance,
                words,
                among: None,
                place,
            })));
        }
    }

    /// The words of a message, by its count and type; a parameter where these depend on data.
    fn words(&mut self, called: &Called, places: Option<(usize, usize)>) -> Number {
        let bytes = places.and_then(|(count, kind)| self.bytes(called, &[count, kind]));
        match bytes {
            Some(bytes) => mpi::words(&bytes),
            None => self.unknown_words(called, places),
        }
    }

    fn unknown_words(&mut self, called: &Called, places: Option<(usize, usize)>) -> Number {
        let place = self.place(called.span);
        let site = self.words_site(called, places);
        let known = site.as_ref().and_then(|site| self.known.get(site)).cloned();
        if known.is_none() {
            let problem = Problem::new(format!(
                "the number of words of `MPI_{}` depends on data: its mean is a parameter",
                called.name
            ));
            self.unsure(problem.at(place.clone()));
        }
        let mut parameter = Parameter {
            symbol: Symbol(0),
            kind: ParameterKind::Value,
            facts: ">= 0".into(),
            place: Some(place),
            what: format!("mean words of MPI_{}", called.name),
            default: None,
            site,
        };
        if let Some(known) = known {
            parameter.what.push_str(&format!("; {}", known.note));
            if let KnownValue::Same { mean, .. } = known.value {
                parameter.default = Some(mean.to_string());
            }
        }
        let of = places.map_or(0, |(count, _)| count);
        let key = (
            format!("words at {of} of {}", self.function),
            called.span.start,
        );
        let hint = format!("words_{}", self.function_name());
        Number::symbol(self.parameter(key, parameter, &hint))
    }

    /// The site at which a profile counts these words.
    fn words_site(&self, called: &Called, places: Option<(usize, usize)>) -> Option<String> {
        let is_counted = match mpi::elements(called.name)? {
            (Elements::One(count), kind) => places == Some((count, kind)),
            (Elements::Each(_), _) => places.is_none(),
        };
        let first = called.arguments.first().and_then(Expression::name);
        (is_counted && first != Some("MPI_IN_PLACE")).then(|| {
            let site = self.whole.site(self.function, called.span.end);
            format!("{}/{site}", self.function_name())
        })
    }
}

fn is_address(argument: &Expression) -> bool {
    matches!(&argument.kind, ExpressionKind::Unary(operator, _) if operator == "&")
}
