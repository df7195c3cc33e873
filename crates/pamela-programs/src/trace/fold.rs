//! Folds the calls of a rank into loops: a part of the list that comes again at once is the body of a loop.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::events::{ANYBODY, Event, MOST_CALLS};

/// More calls are not looked for in the body of a loop.
const LONGEST_BODY: usize = 256;
/// Bodies that come once here and again elsewhere are loops here too; a few passes find them.
const PASSES: usize = 4;

const MOST_RANKS: i64 = 1 << 31;
const MOST_BYTES: i64 = 1 << 50;

/// Numbers in their order, as runs of equal ones.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Series(Vec<(i64, u64)>);

impl Series {
    fn push(&mut self, value: i64, count: u64) {
        match self.0.last_mut() {
            Some((last, times)) if *last == value => *times += count,
            _ => self.0.push((value, count)),
        }
    }

    fn append(&mut self, other: Series) {
        other
            .0
            .into_iter()
            .for_each(|(value, count)| self.push(value, count));
    }

    pub fn iter(&self) -> impl Iterator<Item = i64> {
        let each = |(value, count): &(i64, u64)| std::iter::repeat_n(*value, *count as usize);
        self.0.iter().flat_map(each)
    }

    /// The only value, if it is one.
    pub fn constant(&self) -> Option<i64> {
        match self.0[..] {
            [(value, _)] => Some(value),
            _ => None,
        }
    }

    pub fn same(value: i64, count: u64) -> Series {
        Series(vec![(value, count)])
    }

    /// The sums of so many numbers of another series, one after the other.
    pub fn totals(&self, other: &Series) -> Series {
        let mut others = other.iter();
        let mut totals = Series::default();
        for count in self.iter() {
            totals.push(others.by_ref().take(count as usize).sum(), 1);
        }
        totals
    }

    /// The values, each only once in a row.
    pub fn values(&self) -> impl Iterator<Item = i64> {
        self.0.iter().map(|(value, _)| *value)
    }

    pub fn len(&self) -> u64 {
        let counts = self.0.iter().map(|(_, count)| *count);
        counts.fold(0, u64::saturating_add)
    }

    pub fn sum(&self) -> i128 {
        let each = |(value, count): &(i64, u64)| i128::from(*value) * i128::from(*count);
        self.0.iter().map(each).sum()
    }
}

/// A call or a loop of a rank.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Node {
    Loop(Loop),
    Call(Call),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loop {
    /// Number of iterations each time.
    pub times: Series,
    pub body: Vec<Node>,
}

/// All executions of a call at one place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    pub call: String,
    pub site: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub communicator: Option<usize>,
    pub to: Series,
    pub sent: Series,
    pub from: Series,
    pub received: Series,
    /// Sum of the nanoseconds since the calls before, and the largest of them.
    pub gaps: i64,
    pub longest: i64,
}

impl Call {
    fn of(event: Event) -> Call {
        let series = |value| Series(vec![(value, 1)]);
        let numbers = event.numbers;
        Call {
            call: event.call,
            site: event.site,
            communicator: event.communicator,
            to: series(numbers.to),
            sent: series(numbers.sent),
            from: series(numbers.from),
            received: series(numbers.received),
            gaps: numbers.gap,
            longest: numbers.gap,
        }
    }

    /// The mean nanoseconds since the calls before; without the longest, which touches memory for the first time.
    pub fn gap(&self) -> f64 {
        const FEW: u64 = 3;
        let count = self.to.len();
        if count < FEW {
            return self.gaps as f64 / count.max(1) as f64;
        }
        (self.gaps as f64 - self.longest as f64) / (count - 1) as f64
    }

    /// What tells calls apart, also in other ranks.
    pub fn key(&self) -> u64 {
        key(&self.call, self.site)
    }
}

impl Node {
    /// True if every number is one that a program can have, and there are as many as executions.
    pub fn is_valid(&self, executions: u64) -> bool {
        let has = |series: &Series, least: i64, most: i64| {
            let mut values = series.values();
            series.len() == executions && values.all(|value| (least..=most).contains(&value))
        };
        match self {
            Node::Call(call) => {
                let is_partner = |series| has(series, ANYBODY, MOST_RANKS);
                let is_amount = |series| has(series, 0, MOST_BYTES);
                is_partner(&call.to)
                    && is_partner(&call.from)
                    && is_amount(&call.sent)
                    && is_amount(&call.received)
            }
            Node::Loop(own) => {
                let most = MOST_CALLS as i64;
                let inner = own.times.sum();
                let inner = u64::try_from(inner).ok().filter(|sum| *sum <= MOST_CALLS);
                has(&own.times, 0, most)
                    && inner.is_some_and(|inner| own.body.iter().all(|node| node.is_valid(inner)))
            }
        }
    }

    fn key(&self) -> u64 {
        match self {
            Node::Call(call) => call.key(),
            Node::Loop(own) => own.body.iter().fold(1, |hash, node| mix(hash, node.key())),
        }
    }

    /// Adds executions of an equal part.
    fn append(&mut self, other: Node) {
        match (self, other) {
            (Node::Call(own), Node::Call(other)) => {
                own.to.append(other.to);
                own.sent.append(other.sent);
                own.from.append(other.from);
                own.received.append(other.received);
                own.gaps = own.gaps.saturating_add(other.gaps);
                own.longest = own.longest.max(other.longest);
            }
            (Node::Loop(own), Node::Loop(other)) => {
                own.times.append(other.times);
                let both = own.body.iter_mut().zip(other.body);
                both.for_each(|(own, other)| own.append(other));
            }
            // Equal keys are those of equal parts.
            _ => {}
        }
    }
}

/// Key of a call at a place.
pub fn key(call: &str, site: u64) -> u64 {
    let letters = call.bytes();
    letters.fold(site, |hash, byte| mix(hash, u64::from(byte)))
}

fn mix(hash: u64, value: u64) -> u64 {
    (hash.rotate_left(5) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The bodies of loops, as keys, by the last one.
type Bodies = BTreeMap<u64, BTreeSet<Vec<u64>>>;

/// The calls of each rank as loops. A body of a loop in one rank is a loop of one iteration where it comes once, in all
/// ranks that make the same calls.
pub fn fold(ranks: Vec<Vec<Event>>) -> Vec<Vec<Node>> {
    let roles: Vec<BTreeSet<u64>> = ranks
        .iter()
        .map(|events| events.iter().map(|own| key(&own.call, own.site)).collect())
        .collect();
    let mut bodies: BTreeMap<&BTreeSet<u64>, Bodies> = BTreeMap::new();
    let mut folded = Vec::new();
    for _ in 0..PASSES {
        let before = bodies.clone();
        let none = Bodies::new();
        let both = ranks.iter().zip(&roles);
        folded = both
            .map(|(events, role)| fold_one(events, before.get(role).unwrap_or(&none)))
            .collect();
        for (nodes, role) in folded.iter().zip(&roles) {
            collect(nodes, bodies.entry(role).or_default());
        }
        if bodies == before {
            break;
        }
    }
    folded
}

fn fold_one(events: &[Event], bodies: &Bodies) -> Vec<Node> {
    let mut list = List::default();
    for event in events {
        list.push(Node::Call(Call::of(event.clone())));
        while list.iterate() || list.begin() || list.wrap(bodies) {}
    }
    list.nodes
}

fn collect(nodes: &[Node], bodies: &mut Bodies) {
    for node in nodes {
        if let Node::Loop(own) = node {
            let keys: Vec<u64> = own.body.iter().map(Node::key).collect();
            if let Some(last) = keys.last() {
                bodies.entry(*last).or_default().insert(keys);
            }
            collect(&own.body, bodies);
        }
    }
}

#[derive(Default)]
struct List {
    nodes: Vec<Node>,
    keys: Vec<u64>,
}

impl List {
    fn push(&mut self, node: Node) {
        self.keys.push(node.key());
        self.nodes.push(node);
    }

    /// Makes the end of the list another iteration of the loop before it.
    fn iterate(&mut self) -> bool {
        let count = self.nodes.len();
        let found = (1..=LONGEST_BODY.min(count.saturating_sub(1))).find(|length| {
            let Some(Node::Loop(own)) = self.nodes.get(count - length - 1) else {
                return false;
            };
            own.body.len() == *length && own.body.iter().map(Node::key).eq(self.end(*length))
        });
        let Some(length) = found else { return false };
        let end = self.take(length);
        if let Some(Node::Loop(own)) = self.nodes.last_mut() {
            // A loop of which an iteration is complete was run once.
            let times = own.times.0.last().map_or(0, |(value, _)| *value);
            own.times = Series(vec![(times + 1, 1)]);
            let both = own.body.iter_mut().zip(end);
            both.for_each(|(own, other)| own.append(other));
        }
        true
    }

    /// Makes a loop of an end that comes twice.
    fn begin(&mut self) -> bool {
        let longest = LONGEST_BODY.min(self.nodes.len() / 2);
        let count = self.nodes.len();
        let found = (1..=longest).find(|length| {
            let before = &self.keys[count - 2 * length..count - length];
            before.last() == self.keys.last() && before.iter().copied().eq(self.end(*length))
        });
        let Some(length) = found else { return false };
        let end = self.take(length);
        let mut body = self.take(length);
        let both = body.iter_mut().zip(end);
        both.for_each(|(own, other)| own.append(other));
        self.push(Node::Loop(Loop {
            times: Series(vec![(2, 1)]),
            body,
        }));
        true
    }

    /// Makes a loop of one iteration of an end that is the body of a loop elsewhere.
    fn wrap(&mut self, bodies: &Bodies) -> bool {
        let known = self.keys.last().and_then(|last| bodies.get(last));
        let found = known
            .into_iter()
            .flatten()
            .filter(|keys| self.keys.ends_with(keys));
        let Some(length) = found.map(Vec::len).max() else {
            return false;
        };
        let body = self.take(length);
        self.push(Node::Loop(Loop {
            times: Series(vec![(1, 1)]),
            body,
        }));
        true
    }

    fn end(&self, length: usize) -> impl Iterator<Item = u64> {
        self.keys[self.keys.len() - length..].iter().copied()
    }

    fn take(&mut self, length: usize) -> Vec<Node> {
        let from = self.nodes.len() - length;
        self.keys.truncate(from);
        self.nodes.split_off(from)
    }
}
