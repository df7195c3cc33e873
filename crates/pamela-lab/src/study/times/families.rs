//! Random models of the families whose time is known, with sizes and times as parameters.

mod processes;
mod writer;

use std::fmt::Write;

use crate::gates::random::Random;
use crate::ring::Rational;
use processes::*;
use writer::Writer;

/// A family of models.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    pub name: &'static str,
    /// True if its time rests on the order of the text.
    pub ordered: bool,
    /// True if each model has a time.
    pub complete: bool,
    /// True if each time has a closed form.
    pub closes: bool,
    process: fn(&mut Writer) -> String,
}

/// Parameters: counts from 1 up, and times.
pub const COUNTS: [&str; 4] = ["P", "N", "K", "c"];
pub const TIMES: [&str; 5] = ["f", "g", "h", "q", "s"];

pub const FAMILIES: [Family; 24] = [
    family("flow shop with delays", false, flow_shop),
    family("flow shop over an array", false, array_shop),
    family("machine repair, central server", false, cycles),
    family("pipeline with a flush", false, flush),
    family("equal tasks on a pool", false, pool),
    family("interleaved stages", false, interleaved),
    family("one resource each", false, one_each),
    family("proportional items", false, proportional),
    family("one copy engine", false, copy_engine),
    family("buffers and own resources", false, own_resources),
    family("components and phases", false, components),
    family("stations and a pool", false, stations_and_pool),
    family("a pool that holds a lock", false, holding),
    open_family("two pools and stations", false, two_pools),
    family(
        "one resource each, by conditions",
        false,
        one_each_by_conditions,
    ),
    family("one resource each, inside branches", false, one_each_within),
    bounded_family("similar to these", near),
    bounded_family("items of any times", any_items),
    bounded_family("forward and back", forward_and_back),
    family("dealt in turn", true, dealt),
    family("rounds on a pool", true, rounds),
    family("rising tasks on a pool", true, rising),
    open_family("stations and pools, in rounds", true, pools_in_rounds),
    open_family("rising tasks behind stations", true, rising_behind),
];

const fn family(name: &'static str, ordered: bool, process: fn(&mut Writer) -> String) -> Family {
    Family {
        name,
        ordered,
        complete: true,
        closes: true,
        process,
    }
}

/// A family whose formula may keep a loop over rounds or waves.
const fn open_family(
    name: &'static str,
    ordered: bool,
    process: fn(&mut Writer) -> String,
) -> Family {
    Family {
        closes: false,
        ..family(name, ordered, process)
    }
}

/// A family of which most models have bounds only.
const fn bounded_family(name: &'static str, process: fn(&mut Writer) -> String) -> Family {
    Family {
        complete: false,
        ..open_family(name, true, process)
    }
}

impl Family {
    /// The model of a seed.
    pub fn model(&self, seed: u64) -> String {
        let mut writer = Writer::new(Random::new(seed, self.name));
        let process = (self.process)(&mut writer);
        let mut text = String::new();
        // Writing into a string does not fail.
        for name in COUNTS {
            let _ = writeln!(text, "numeric parameter {name} : integer >= 1");
        }
        for name in TIMES {
            let _ = writeln!(text, "numeric parameter {name} : >= 0");
        }
        text.push_str(&writer.resources);
        let _ = writeln!(text, "process main = {process}");
        text
    }
}

/// Values of the parameters, in the order of [`COUNTS`] and [`TIMES`]; times are quarters.
pub fn values(random: &mut Random) -> Vec<(&'static str, Rational)> {
    let mut below = |count: usize| Rational::from(random.below(count) as i64);
    let counts = COUNTS.map(|name| (name, below(7) + Rational::ONE));
    let times = TIMES.map(|name| (name, below(25) / Rational::from(4)));
    counts.into_iter().chain(times).collect()
}
