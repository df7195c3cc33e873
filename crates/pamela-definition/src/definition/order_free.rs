//! Recognises, on numbers, sections whose time does not depend on the order of simultaneous
//! requests.
//!
//! The theorems are in `docs/explanation/bounds.md`. The value is that of a run; no formula of the
//! theorems is used.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::number::Number;
use super::run::{Activities, Id, Kind};

/// An action of a branch, and its time.
type Step = (Action, Number);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    /// Something for itself.
    Delay,
    Visit(usize),
    /// The beginning and the end of holding a resource, which take no time.
    Take(usize),
    GiveBack(usize),
}

impl Action {
    /// The resource that is asked for.
    fn asked(self) -> Option<usize> {
        match self {
            Action::Visit(resource) | Action::Take(resource) => Some(resource),
            Action::Delay | Action::GiveBack(_) => None,
        }
    }

    /// The resource that is visited, where none is held meanwhile.
    fn visited(self) -> Option<usize> {
        match self {
            Action::Visit(resource) => Some(resource),
            _ => None,
        }
    }

    /// Without the resources at which nobody waits.
    fn without(self, is_free: impl Fn(usize) -> bool) -> Action {
        match self {
            Action::Visit(r) | Action::Take(r) | Action::GiveBack(r) if is_free(r) => Action::Delay,
            action => action,
        }
    }
}

impl Activities<'_> {
    /// True if an activity that nothing runs beside takes the same time in any order.
    pub(super) fn is_order_free(&self, id: Id) -> bool {
        match self.kind(id) {
            Kind::Delay(_) => true,
            // One of the servers that the body may ask for is held all the time.
            Kind::Use(resource, body) => {
                !self.visits(*body, *resource) && self.is_order_free(*body)
            }
            Kind::Sequence(parts) => parts.iter().all(|&part| self.is_order_free(part)),
            Kind::Graph(_) => !self.visits_anything(id),
            Kind::Branches(parts, enough) => {
                let all = *enough == parts.len();
                self.components(parts)
                    .iter()
                    .all(|component| match component[..] {
                        [one] => self.is_order_free(one),
                        _ => all && self.is_order_free_section(component),
                    })
            }
        }
    }

    /// The resources that an activity visits.
    pub(super) fn visited(&self, id: Id, into: &mut BTreeSet<usize>) {
        match self.kind(id) {
            Kind::Delay(_) => {}
            Kind::Use(resource, body) => {
                into.insert(*resource);
                self.visited(*body, into);
            }
            Kind::Sequence(parts) | Kind::Branches(parts, _) => {
                parts.iter().for_each(|&part| self.visited(part, into));
            }
            Kind::Graph(waits) => {
                waits
                    .parts()
                    .iter()
                    .for_each(|&part| self.visited(part, into));
            }
        }
    }

    /// True if an activity visits a resource.
    pub(super) fn visits(&self, id: Id, resource: usize) -> bool {
        let mut visited = BTreeSet::new();
        self.visited(id, &mut visited);
        visited.contains(&resource)
    }

    fn visits_anything(&self, id: Id) -> bool {
        let mut visited = BTreeSet::new();
        self.visited(id, &mut visited);
        !visited.is_empty()
    }

    /// Branches, those together that share a resource directly or through others.
    fn components(&self, parts: &[Id]) -> Vec<Vec<Id>> {
        let visited = parts.iter().map(|&part| {
            let mut own = BTreeSet::new();
            self.visited(part, &mut own);
            own
        });
        let visited: Vec<BTreeSet<usize>> = visited.collect();
        let groups = connected(&visited).into_iter();
        groups
            .map(|group| group.into_iter().map(|k| parts[k]).collect())
            .collect()
    }

    /// The times before and after the visits of an activity, if it visits single-server resources at one time or one
    /// of them repeatedly; `None` otherwise.
    fn around_visits(&self, id: Id) -> Option<(Number, Number)> {
        match self.kind(id) {
            Kind::Delay(_) | Kind::Graph(_) => None,
            Kind::Use(resource, body) => {
                let single = self.servers(*resource) == 1;
                let bare = matches!(self.kind(*body), Kind::Delay(_));
                (single && bare).then(|| (Number::zero(), Number::zero()))
            }
            Kind::Sequence(parts) => {
                let visits = |&&part: &&Id| self.visits_anything(part);
                let [one] = parts.iter().filter(visits).collect::<Vec<_>>()[..] else {
                    return None;
                };
                let (mut before, mut after) = self.around_visits(*one)?;
                let position = parts.iter().position(|part| part == one)?;
                for &part in &parts[..position] {
                    before = before.add(&self.length(part)?).ok()?;
                }
                for &part in &parts[position + 1..] {
                    after = after.add(&self.length(part)?).ok()?;
                }
                Some((before, after))
            }
            Kind::Branches(parts, enough) => {
                // Who takes no time and visits nothing is as if it were not there.
                let is_nothing = |part: &Id| self.length(*part).is_some_and(|time| time.is_zero());
                let all = parts.iter().filter(|part| !is_nothing(part));
                let around: Option<Vec<_>> = all.map(|&part| self.around_visits(part)).collect();
                let around = around.filter(|_| *enough == parts.len())?;
                let alike = around.windows(2).all(|pair| pair[0] == pair[1]);
                around.into_iter().next().filter(|_| alike)
            }
        }
    }

    fn is_order_free_section(&self, component: &[Id]) -> bool {
        let around: Option<Vec<_>> = component.iter().map(|&id| self.around_visits(id)).collect();
        if around.is_some_and(|around| around.windows(2).all(|pair| pair[0] == pair[1])) {
            return true;
        }
        let mut chains = Vec::new();
        component
            .iter()
            .all(|&id| self.collect_chains(id, &mut chains))
            && {
                let chains = self.without_own_resources(&chains);
                self.is_line(&chains)
                    || self.visits_one_resource_each(&chains)
                    || self.has_proportional_items(&chains)
                    || self.returns_to_the_first(&chains)
            }
    }

    /// The branches of a section with those of sections that are a branch; whether each does one thing after the other.
    fn collect_chains(&self, id: Id, chains: &mut Vec<Vec<Step>>) -> bool {
        match self.kind(id) {
            Kind::Sequence(parts) if parts.len() == 1 => self.collect_chains(parts[0], chains),
            Kind::Branches(parts, enough) if *enough == parts.len() => {
                parts.iter().all(|&part| self.collect_chains(part, chains))
            }
            _ => {
                chains.push(Vec::new());
                chains
                    .last_mut()
                    .is_some_and(|chain| self.follow(id, chain))
            }
        }
    }

    fn follow(&self, id: Id, chain: &mut Vec<Step>) -> bool {
        match self.kind(id) {
            Kind::Delay(time) => push(chain, (Action::Delay, time.clone())),
            Kind::Use(resource, body) => match self.kind(*body) {
                Kind::Delay(time) => push(chain, (Action::Visit(*resource), time.clone())),
                _ => {
                    push(chain, (Action::Take(*resource), Number::zero()))
                        && self.follow(*body, chain)
                        && push(chain, (Action::GiveBack(*resource), Number::zero()))
                }
            },
            Kind::Sequence(parts) => parts.iter().all(|&part| self.follow(part, chain)),
            Kind::Graph(_) => false,
            Kind::Branches(..) => {
                let mut visited = BTreeSet::new();
                self.visited(id, &mut visited);
                let alone = self.length(id).filter(|_| visited.is_empty());
                alone.is_some_and(|time| push(chain, (Action::Delay, time)))
            }
        }
    }

    /// The length of an activity that visits no resource.
    fn length(&self, id: Id) -> Option<Number> {
        match self.kind(id) {
            Kind::Delay(time) => Some(time.clone()),
            Kind::Use(..) | Kind::Graph(_) => None,
            Kind::Sequence(parts) => parts.iter().try_fold(Number::zero(), |sum, &part| {
                sum.add(&self.length(part)?).ok()
            }),
            Kind::Branches(parts, enough) => {
                let times: Option<Vec<Number>> = parts.iter().map(|&p| self.length(p)).collect();
                let mut times = times?;
                times.sort_by(Number::order);
                match enough.checked_sub(1) {
                    Some(last) if !times.is_empty() => times.get(last).cloned(),
                    _ => Some(Number::zero()),
                }
            }
        }
    }

    /// Resources with a server for each branch that visits them make nobody wait.
    fn without_own_resources(&self, chains: &[Vec<Step>]) -> Vec<Vec<Step>> {
        let mut wanted: BTreeMap<usize, u64> = BTreeMap::new();
        for chain in chains {
            for (resource, servers) in servers_at_once(chain) {
                *wanted.entry(resource).or_default() += servers;
            }
        }
        let is_free = |r: usize| wanted[&r] <= self.servers(r);
        let without = |chain: &Vec<Step>| {
            let mut left = Vec::new();
            for (action, time) in chain {
                push(&mut left, (action.without(is_free), time.clone()));
            }
            left
        };
        chains.iter().map(without).collect()
    }

    fn has_one_server(&self, steps: &[Step]) -> bool {
        steps
            .iter()
            .all(|(action, _)| action.asked().is_none_or(|r| self.servers(r) == 1))
    }

    /// Alike branches that pass through a chain, which visits no resource twice, once or several times.
    fn is_line(&self, chains: &[Vec<Step>]) -> bool {
        let Some((first, rest)) = chains.split_first() else {
            return true;
        };
        if rest.iter().any(|chain| chain != first) {
            return false;
        }
        let visits: Vec<usize> = first.iter().filter_map(|step| step.0.asked()).collect();
        let mut seen = HashSet::new();
        let length = visits.iter().take_while(|&&r| seen.insert(r)).count();
        if length == visits.len() {
            return true;
        }
        self.has_one_server(first) && is_repeated(first, length)
    }

    fn visits_one_resource_each(&self, chains: &[Vec<Step>]) -> bool {
        let split = |chain: &Vec<Step>| {
            let delay = |step: Option<&Step>| match step {
                Some((Action::Delay, time)) => time.clone(),
                _ => Number::zero(),
            };
            let around = (delay(chain.first()), delay(chain.last()));
            let skipped =
                |step: Option<&Step>| usize::from(step.is_some_and(|s| s.0 == Action::Delay));
            let (from, to) = (skipped(chain.first()), chain.len() - skipped(chain.last()));
            let visits = chain.get(from..to)?;
            let one = match visits.first() {
                Some(step) => step.0.visited()?,
                // Who visits nothing ends when it begins.
                None if chain.is_empty() => return Some(around),
                None => return None,
            };
            visits
                .iter()
                .all(|step| step.0 == Action::Visit(one))
                .then_some(around)
        };
        let around: Option<Vec<(Number, Number)>> = chains.iter().map(split).collect();
        around.is_some_and(|around| around.windows(2).all(|pair| pair[0] == pair[1]))
            && chains.iter().all(|chain| self.has_one_server(chain))
    }

    fn has_proportional_items(&self, chains: &[Vec<Step>]) -> bool {
        let stations = |chain: &Vec<Step>| -> Option<Vec<usize>> {
            let alike = chain.windows(2).all(|pair| pair[0].1 == pair[1].1);
            let stations: Option<Vec<usize>> = chain.iter().map(|step| step.0.visited()).collect();
            let stations = stations.filter(|_| alike)?;
            let different: BTreeSet<usize> = stations.iter().copied().collect();
            (different.len() == stations.len()).then_some(stations)
        };
        let all: Option<Vec<Vec<usize>>> = chains.iter().map(stations).collect();
        all.is_some_and(|all| all.windows(2).all(|pair| pair[0] == pair[1]))
            && chains.iter().all(|chain| self.has_one_server(chain))
    }

    /// A resource, another one, and the first again, with delays between.
    fn returns_to_the_first(&self, chains: &[Vec<Step>]) -> bool {
        let Some((first, rest)) = chains.split_first() else {
            return true;
        };
        let visits: Vec<usize> = first.iter().filter_map(|step| step.0.asked()).collect();
        let inside = |step: Option<&Step>| step.is_some_and(|step| step.0.visited().is_some());
        matches!(visits[..], [a, b, c] if a == c && a != b)
            && inside(first.first())
            && inside(first.last())
            && self.has_one_server(first)
            && first.iter().all(|step| !matches!(step.0, Action::Take(_)))
            && rest.iter().all(|chain| chain == first)
    }
}

/// Maximum number of servers of each resource that a branch holds at one time.
fn servers_at_once(chain: &[Step]) -> BTreeMap<usize, u64> {
    let mut held: BTreeMap<usize, u64> = BTreeMap::new();
    let mut most: BTreeMap<usize, u64> = BTreeMap::new();
    for (action, _) in chain {
        let (resource, own) = match action {
            Action::Delay => continue,
            Action::Visit(r) => (*r, held.get(r).copied().unwrap_or_default() + 1),
            Action::Take(r) => {
                let held = held.entry(*r).or_default();
                *held += 1;
                (*r, *held)
            }
            Action::GiveBack(r) => {
                let held = held.entry(*r).or_default();
                *held = held.saturating_sub(1);
                continue;
            }
        };
        let most = most.entry(resource).or_default();
        *most = own.max(*most);
    }
    most
}

/// Adds a step; delays one after the other are one.
fn push(chain: &mut Vec<Step>, step: Step) -> bool {
    match (chain.last_mut(), step) {
        (_, (Action::Delay, time)) if time.is_zero() => true,
        (Some((Action::Delay, before)), (Action::Delay, time)) => match before.add(&time) {
            Ok(sum) => {
                *before = sum;
                true
            }
            Err(_) => false,
        },
        (_, step) => {
            chain.push(step);
            true
        }
    }
}

/// True if a chain visits the same `length` resources over and over, with the same times, after a delay of its own and
/// before another one.
fn is_repeated(chain: &[Step], length: usize) -> bool {
    let mut delays = vec![Number::zero()];
    let mut visits: Vec<&Step> = Vec::new();
    for step in chain {
        match step.0 {
            Action::Delay => {
                if let Some(delay) = delays.last_mut() {
                    *delay = step.1.clone();
                }
            }
            Action::Visit(_) => {
                visits.push(step);
                delays.push(Number::zero());
            }
            Action::Take(_) | Action::GiveBack(_) => return false,
        }
    }
    let (Some(before), Some(after)) = (delays.first(), delays.last()) else {
        return false;
    };
    let between = &delays[1..delays.len() - 1];
    let repeated = visits.len().is_multiple_of(length)
        && (length..visits.len()).all(|k| visits[k] == visits[k - length])
        && (length..between.len()).all(|k| between[k] == between[k - length]);
    // The time between two rounds is divided between the end of the first and the beginning of the second.
    let around = before.add(after);
    let round = between.get(length - 1);
    repeated
        && round
            .zip(around.ok())
            .is_some_and(|(round, around)| round.order(&around).is_le())
}

/// Sets that have a member in common, directly or through others, by their positions.
pub(super) fn connected<T: Ord + Clone>(sets: &[BTreeSet<T>]) -> Vec<Vec<usize>> {
    let mut groups: Vec<(BTreeSet<T>, Vec<usize>)> = Vec::new();
    for (position, set) in sets.iter().enumerate() {
        let (mut members, mut all) = (vec![position], set.clone());
        let mut apart = Vec::new();
        for (known, positions) in groups {
            if known.is_disjoint(&all) {
                apart.push((known, positions))
            } else {
                all.extend(known);
                members.extend(positions);
            }
        }
        members.sort_unstable();
        apart.push((all, members));
        groups = apart;
    }
    let mut groups: Vec<Vec<usize>> = groups.into_iter().map(|group| group.1).collect();
    groups.sort_unstable();
    groups
}
