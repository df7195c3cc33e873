//! Shared loops by their schedules.

use super::meeting::DEEPEST;
use super::number::*;
use super::part::*;
use super::process::{Process, Resource, sequence};
use super::translate::{Phases, Translator};
use super::walker::Role;

impl Translator<'_, '_> {
    /// A loop whose iterations are shared.
    ///
    /// One long function, because it is a table with an arm for each kind of schedule.
    pub fn shared(
        &mut self,
        shared: &Shared,
        threads: &Number,
        thread: Symbol,
        phases: &mut Phases,
    ) {
        let Some(count) = shared
            .range
            .last
            .minus(&shared.range.first)
            .and_then(|n| n.plus_constant(1))
        else {
            return;
        };
        let depends = self
            .inlined(&shared.body, DEEPEST)
            .mentions(shared.range.index);
        let is_inner = self.has_role(&shared.range, &[Role::Index]);
        let is_of_parameters = !self.has_role(&shared.range, &[Role::Index, Role::Formal]);
        match &shared.schedule {
            Schedule::Static if !depends && !is_inner => {
                let body = self.plain(&shared.body);
                let range = self.share_of(shared, count, threads, thread);
                phases.thread.push(Process::Seq(range, Box::new(body)));
            }
            Schedule::Static if is_of_parameters => {
                let body = self.plain(&shared.body);
                if !self.divides(&count, threads) {
                    let own = shared.range.block(&Number::symbol(thread), threads);
                    let own = own.unwrap_or(shared.range.clone());
                    phases.thread.push(Process::Seq(own, Box::new(body)));
                    return;
                }
                let begin = |p: Number| {
                    let share = Number::atom(Atom::Quotient(count.clone(), threads.clone()));
                    shared.range.first.plus(&p.times(&share)?)
                };
                let p = Number::symbol(thread);
                let next = p.plus_constant(1).and_then(begin);
                let range = Range {
                    first: begin(p).unwrap_or_default(),
                    last: next
                        .and_then(|next| next.plus_constant(-1))
                        .unwrap_or_default(),
                    ..shared.range.clone()
                };
                phases.thread.push(Process::Seq(range, Box::new(body)));
            }
            Schedule::Chunked(chunk) if chunk.as_constant() != Some(1) && is_of_parameters => {
                let body = self.plain(&shared.body);
                let process = self.chunks(shared, &count, chunk, threads, thread, body);
                phases.thread.push(process);
            }
            Schedule::Static | Schedule::Chunked(_) => {
                self.flush(threads, thread, phases);
                let from = Number::symbol(shared.range.index).minus(&shared.range.first);
                let from = from.unwrap_or_default();
                let turn = match &shared.schedule {
                    Schedule::Chunked(chunk) => from.div(chunk),
                    _ => from,
                };
                let owner = turn.modulo(threads);
                let body = shared.body.with(thread, &owner);
                if shared.schedule == Schedule::Static && depends {
                    self.note("iterations are dealt out in turn, but the program gives each thread a block");
                }
                // Threads of all ranks are numbered one after the other.
                let world = self.walker.world.as_ref();
                let before = world.and_then(|world| Number::symbol(world.rank).times(threads));
                let owner = before
                    .and_then(|before| before.plus(&owner))
                    .unwrap_or(owner);
                let body = self.on(&Resource::Thread(owner), &body);
                phases
                    .done
                    .push(Process::Par(shared.range.clone(), Box::new(body)));
            }
            Schedule::Dynamic(chunk) => {
                self.flush(threads, thread, phases);
                let process = self.dynamic(shared, &count, chunk, threads);
                phases.done.push(process);
            }
            Schedule::Guided => {
                self.flush(threads, thread, phases);
                let process = self.guided(shared, &count, threads);
                phases.done.push(process);
            }
        }
    }

    /// True if bounds use symbols of such a role.
    fn has_role(&self, range: &Range, roles: &[Role]) -> bool {
        let mut found = false;
        range.symbols(&mut |symbol| {
            found |= roles.contains(&self.walker.names[symbol.0 as usize].role)
        });
        found
    }

    /// Number of iterations of thread p, of `count` in all.
    fn share_of(&self, shared: &Shared, count: Number, threads: &Number, thread: Symbol) -> Range {
        let rest = count.minus(&Number::symbol(thread)).unwrap_or(count);
        let share = Number::atom(Atom::Quotient(rest, threads.clone()));
        Range {
            index: shared.range.index,
            first: Number::constant(1),
            last: Number::atom(Atom::Function("ceil", vec![share])),
            step: Number::constant(1),
        }
    }

    /// Assumes in the model that a number is a multiple of another; false if this is known to be wrong, or not always
    /// true.
    fn divides(&mut self, number: &Number, divisor: &Number) -> bool {
        match (number.as_constant(), divisor.as_constant()) {
            (_, Some(1)) => return true,
            (Some(number), Some(divisor)) => return divisor > 0 && number % divisor == 0,
            (Some(_), None) => return false,
            (None, _) => {}
        }
        let relation = (number.clone(), divisor.clone());
        if !self.whole.contains(&relation) {
            self.whole.push(relation);
        }
        true
    }

    pub fn note(&mut self, note: &str) {
        if !self.notes.iter().any(|known| known == note) {
            self.notes.push(note.to_string());
        }
    }

    /// `schedule(static, c)`: chunk r of thread p begins at `(r * P + p) * c`.
    fn chunks(
        &mut self,
        shared: &Shared,
        count: &Number,
        chunk: &Number,
        threads: &Number,
        thread: Symbol,
        body: Process,
    ) -> Process {
        let round = chunk.times(threads).unwrap_or_default();
        let divides = self.divides(count, &round);
        let r = self.walker.symbol("r", Role::Index);
        let begin = Number::symbol(r)
            .times(threads)
            .and_then(|n| n.plus(&Number::symbol(thread)))
            .and_then(|n| n.times(chunk))
            .and_then(|n| n.plus(&shared.range.first))
            .unwrap_or_default();
        let end = begin
            .plus(chunk)
            .and_then(|n| n.plus_constant(-1))
            .unwrap_or_default();
        let (rounds, end) = if divides {
            (Number::atom(Atom::Quotient(count.clone(), round)), end)
        } else {
            // The last chunk may be shorter, and only the first threads may have one of the last round.

            let before = Number::symbol(thread).times(chunk).unwrap_or_default();
            let left = count.minus(&before).unwrap_or_default();
            (rounded_up(left, round), end.smaller(&shared.range.last))
        };
        let outer = Range {
            index: r,
            first: Number::constant(0),
            last: rounds.plus_constant(-1).unwrap_or_default(),
            step: Number::constant(1),
        };
        let inner = Range {
            first: begin,
            last: end,
            ..shared.range.clone()
        };
        Process::Seq(outer, Box::new(Process::Seq(inner, Box::new(body))))
    }

    fn dynamic(
        &mut self,
        shared: &Shared,
        count: &Number,
        chunk: &Number,
        threads: &Number,
    ) -> Process {
        let pool = self.owned(Resource::Pool(threads.clone()));
        let cost = self
            .walker
            .machine_time("t_chunk", "handing out a chunk of iterations");
        let take = Process::Use(pool.clone(), cost);
        let body = self.on(&pool, &shared.body);
        let is_of_parameters = !self.has_role(&shared.range, &[Role::Index, Role::Formal]);
        if chunk.as_constant() == Some(1) || !is_of_parameters {
            // A share of the cost of a chunk for each of its iterations.
            let cost = self
                .walker
                .machine_time("t_chunk", "handing out a chunk of iterations");
            let cost = match chunk.as_constant() {
                Some(1) => cost,
                _ => Number::atom(Atom::Quotient(cost, chunk.clone())),
            };
            let take = Process::Use(pool, cost);
            return Process::Par(shared.range.clone(), Box::new(sequence(vec![take, body])));
        }
        let divides = self.divides(count, chunk);
        let q = self.walker.symbol("q", Role::Index);
        let begin = Number::symbol(q)
            .times(chunk)
            .and_then(|n| n.plus(&shared.range.first));
        let begin = begin.unwrap_or_default();
        let end = begin
            .plus(chunk)
            .and_then(|n| n.plus_constant(-1))
            .unwrap_or_default();
        let (chunks, end) = if divides {
            (
                Number::atom(Atom::Quotient(count.clone(), chunk.clone())),
                end,
            )
        } else {
            (
                rounded_up(count.clone(), chunk.clone()),
                end.smaller(&shared.range.last),
            )
        };
        let outer = Range {
            index: q,
            first: Number::constant(0),
            last: chunks.plus_constant(-1).unwrap_or_default(),
            step: Number::constant(1),
        };
        let inner = Range {
            first: begin,
            last: end,
            ..shared.range.clone()
        };
        let work = Process::Seq(inner, Box::new(body));
        Process::Par(outer, Box::new(sequence(vec![take, work])))
    }

    /// About `P * log(n / P)` chunks: their costs beside the iterations themselves.
    fn guided(&mut self, shared: &Shared, count: &Number, threads: &Number) -> Process {
        self.note(
            "a guided schedule counts as P * log(n / P) chunks and the iterations one by one",
        );
        let pool = self.owned(Resource::Pool(threads.clone()));
        let cost = self
            .walker
            .machine_time("t_chunk", "handing out a chunk of iterations");
        let body = self.on(&pool, &shared.body);
        let iterations = Process::Par(shared.range.clone(), Box::new(body));
        let ratio = Number::atom(Atom::Quotient(count.clone(), threads.clone()));
        let ratio = ratio.larger(&Number::constant(1));
        let chunks = Number::atom(Atom::Function("log", vec![ratio])).times(threads);
        let chunks = Number::atom(Atom::Function("ceil", vec![chunks.unwrap_or_default()]));
        let taken = Range {
            index: self.walker.symbol("k", Role::Index),
            first: Number::constant(1),
            last: chunks,
            step: Number::constant(1),
        };
        let taking = Process::Par(taken, Box::new(Process::Use(pool, cost)));
        Process::Both(vec![taking, iterations])
    }
}

fn rounded_up(number: Number, divisor: Number) -> Number {
    match (number.as_constant(), divisor.as_constant()) {
        (Some(number), Some(divisor)) if divisor > 0 => {
            Number::constant(-(-number).div_euclid(divisor))
        }
        _ => {
            let quotient = Number::atom(Atom::Quotient(number, divisor));
            Number::atom(Atom::Function("ceil", vec![quotient]))
        }
    }
}
