//! A machine of processors with separate caches, which counts each word.

/// Times of the machine, in cycles.
pub const FLOP: f64 = 1.0;
pub const LOAD: f64 = 1.0;
pub const MISS: f64 = 10.0;
pub const STARTUP: f64 = 500.0;
pub const WORD: f64 = 2.0;
/// Words per line, and lines in each of the two ways of a cache: 16 kB of double precision.
pub const LINE: usize = 8;
const SETS: usize = 128;

/// The beginning of all models of the study: a word costs more the farther it is from the previous one.
pub const MODEL: &str = "\
numeric parameter N : integer >= 1         % size of the problem
numeric parameter P : integer >= 1         % number of processors
numeric parameter B : integer >= 1         % columns or rows of a processor
numeric parameter t_flop : >= 0
numeric parameter t_load : >= 0            % a word that is in the cache
numeric parameter t_miss : >= 0            % a line that is not
numeric parameter t_startup : >= 0
numeric parameter t_word : >= 0
numeric parameter L : integer >= 1         % words of a line
assume P * B >= N
resource cpu(p) = fcfs(p, 1)
resource network
numeric word(stride) = t_load + t_miss * min(stride, L) / L
process send(n) = use(network, t_startup + n * t_word)
";

/// Two ways of lines, the most recently used first.
pub struct Cache {
    sets: Vec<[usize; 2]>,
    miss: f64,
    pub time: f64,
}

impl Cache {
    /// Time of a cache miss.
    pub fn new(miss: f64) -> Cache {
        Cache {
            miss,
            sets: vec![[usize::MAX; 2]; SETS],
            time: 0.0,
        }
    }

    /// Loads or stores the word at an address.
    pub fn word(&mut self, address: usize) {
        self.time += LOAD;
        let line = address / LINE;
        let set = &mut self.sets[line % SETS];
        if set[0] == line {
            return;
        }
        if set[1] != line {
            self.time += self.miss;
        }
        *set = [line, set[0]];
    }

    pub fn flops(&mut self, count: usize) {
        self.time += count as f64 * FLOP;
    }

    /// The time since the previous call.
    pub fn lap(&mut self) -> f64 {
        std::mem::take(&mut self.time)
    }
}

pub fn message(words: usize) -> f64 {
    STARTUP + words as f64 * WORD
}
