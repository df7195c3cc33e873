//! Times of collective operations. Each is a separate process that is printed with the model, so another algorithm
//! can replace it.

use crate::lowering::message::Kind;
use crate::lowering::number::{Atom, Number, Piece, Symbol};
use crate::lowering::part::{Instance, Part};
use crate::lowering::walker::{Role, Walker};

impl Walker<'_> {
    pub fn startup(&mut self) -> Number {
        self.machine_time("t_startup", "setting up a message")
    }

    pub fn word(&mut self) -> Number {
        self.machine_time("t_word", "sending one word of 8 bytes")
    }

    /// The process of a collective operation, made at its first use.
    pub fn collective(&mut self, kind: Kind) -> Option<usize> {
        if let Some(instance) = self.collectives.get(kind.name()) {
            return Some(*instance);
        }
        let ranks = self.world.as_ref()?.ranks.clone();
        let name = self.symbol(kind.name(), Role::Function);
        let words = self.symbol("w", Role::Formal);
        let time = self.time_of(kind, &ranks, words)?;
        let formals = match kind {
            Kind::Barrier => Vec::new(),
            _ => vec![words],
        };
        self.instances.push(Instance {
            name,
            formals,
            body: Part::Cost(time),
            place: None,
            comment: kind.algorithm().to_string(),
            team: None,
        });
        let instance = self.instances.len() - 1;
        self.collectives.insert(kind.name(), instance);
        Some(instance)
    }

    pub fn time_of(&mut self, kind: Kind, ranks: &Number, words: Symbol) -> Option<Number> {
        let function = |name, number: Number| Number::atom(Atom::Function(name, vec![number]));
        let steps = function("ceil", function("log2", ranks.clone()));
        let others = ranks.plus_constant(-1)?;
        let startup = self.startup();
        let times = |a: &Number, b: Number| {
            let by = Piece::Text(" * ".to_string());
            let pieces = vec![Piece::Value(a.clone()), by, Piece::Value(b)];
            Number::atom(Atom::Written(pieces))
        };
        if kind == Kind::Barrier {
            return Some(times(&steps, startup));
        }
        let words = Number::symbol(words);
        let sent = words.times(&self.word())?;
        let mut operation = || self.machine_time("t_op", "combining one word");
        match kind {
            Kind::Barrier | Kind::Broadcast => Some(times(&steps, startup.plus(&sent)?)),
            Kind::Reduce | Kind::Allreduce | Kind::Scan => {
                let combined = words.times(&operation())?;
                Some(times(&steps, startup.plus(&sent)?.plus(&combined)?))
            }
            Kind::AllreduceRing => {
                let share = |time: Number| Number::atom(Atom::Quotient(time, ranks.clone()));
                let combined = share(words.times(&operation())?);
                let round = startup.plus(&share(sent))?.scaled(2)?;
                Some(times(&others, round.plus(&combined)?))
            }
            Kind::ReduceScatter => {
                let combined = words.times(&operation())?;
                let moved = times(&others, sent.plus(&combined)?);
                steps.times(&startup)?.plus(&moved)
            }
            Kind::Gather | Kind::Scatter | Kind::Allgather => {
                steps.times(&startup)?.plus(&times(&others, sent))
            }
            Kind::Alltoall => Some(times(&others, startup.plus(&sent)?)),
        }
    }
}
