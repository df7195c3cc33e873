//! Counts trials of a branch as a profile does.

use pamela_programs::profile::Site;

/// Counts trials of a process one after the other; a position of 0 starts a loop again.
pub struct Counter {
    pub site: Site,
    pub position: u64,
    /// The present run, the runs so far, and the last run of trials that hold.
    last: Option<bool>,
    length: u64,
    up: u64,
    is_first: bool,
    before: [u64; WIDTHS],
}

const WIDTHS: usize = 20;

impl Counter {
    pub fn new() -> Counter {
        Counter {
            site: Site {
                cycles: vec![0; 15],
                windows: vec![[0; 3]; WIDTHS],
                ..Site::default()
            },
            position: 0,
            last: None,
            length: 0,
            up: 0,
            is_first: true,
            before: [0; WIDTHS],
        }
    }

    pub fn trial(&mut self, holds: bool) {
        self.site.calls += 1;
        self.site.taken += u64::from(holds);
        self.position += 1;
        let bin = self.position.ilog2() as usize;
        if self.site.position.len() <= bin {
            self.site.position.resize(bin + 1, [0; 3]);
        }
        let place = &mut self.site.position[bin];
        place[0] += 1;
        place[1] += u64::from(holds);
        place[2] += self.position;
        self.run(holds);
        for width in 0..WIDTHS {
            if self.site.calls & ((1 << width) - 1) != 0 {
                break;
            }
            let inside = u128::from(self.site.taken - self.before[width]);
            self.before[width] = self.site.taken;
            let window = &mut self.site.windows[width];
            window[0] += 1;
            window[1] += inside;
            window[2] += inside * inside;
        }
    }

    /// Runs in alternation; the first may have begun before.
    fn run(&mut self, holds: bool) {
        match self.last.replace(holds) {
            Some(last) if last == holds => self.length += 1,
            Some(last) => {
                match (last, self.up) {
                    (true, _) => self.up = if self.is_first { 0 } else { self.length },
                    (false, 0) => {}
                    (false, up) => {
                        self.cycle(up, self.length);
                        self.up = 0;
                    }
                }
                self.is_first = false;
                self.length = 1;
            }
            None => self.length = 1,
        }
    }

    fn cycle(&mut self, up: u64, down: u64) {
        self.site.cycles[0] += 1;
        let mut at = 1;
        for degree in 1..=4 {
            for downs in 0..=degree {
                let power = |base: u64, times: u32| u128::from(base).pow(times);
                self.site.cycles[at] += power(up, degree - downs) * power(down, downs);
                at += 1;
            }
        }
    }
}
