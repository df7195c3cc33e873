//! Pragmas of OpenMP and of this program.

use crate::problem::Place;

/// `#pragma omp parallel for schedule(static, 4)`: the family and its words with their arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct Pragma {
    pub family: Family,
    /// The words of the directive, then its clauses, in order.
    pub words: Vec<Word>,
    /// First byte of the line in the preprocessed text.
    pub start: usize,
    pub place: Place,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    OpenMp,
    Pamela,
    /// An unsupported pragma that offloads work to devices or to other threads: `acc`. A family named by the first
    /// word.
    Moving,
    /// An unknown family. The first word is its name.
    Unknown,
}

/// Pragmas for compilers, optimisers and tools that leave what a program does as it is, and on how many threads.
const HARMLESS: &str = "
GCC clang STDC once pack weak message warning region endregion push_macro pop_macro comment ident redefine_extname mark
hdrstop options align section code_seg data_seg const_seg init_seg unused poison system_header intrinsic function
diag_suppress diag_default diag_push diag_pop ms_struct
scop endscop live pencil pet polca loopchain Orio
ivdep unroll nounroll unroll_and_jam nounroll_and_jam unroll_completely vector novector simd nosimd loop_count prefetch
noprefetch nofusion fusion distribute_point block_loop noblock_loop interchange nointerchange inline noinline forceinline
alwaysinline optimize optimization_level nontemporal loop loop_opt concurrent pipeloop nomemorydepend noalias disjoint
isolated_call execution_frequency statement procedure _CRI CRI _NEC pgi ibm ocl fj cdir HLS";

/// Pragmas of languages that give work to devices or to other threads.
const MOVING: &str = "acc offload offload_transfer offload_wait hmpp hmppcg oss ompss css starpu xmp dvm cilk upc mta";

/// `schedule(static, 4)`: a name and its argument in parentheses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    pub name: String,
    pub argument: Option<String>,
}

impl Pragma {
    /// A line `#pragma ..`, unless neither OpenMP nor this program reads it.
    pub fn read(line: &str, start: usize, place: Place) -> Option<Pragma> {
        let line = line.replace("\\\n", " ").replace("\\\r\n", " ");
        let rest = line.trim().strip_prefix('#')?.trim_start();
        let rest = rest.strip_prefix("pragma")?;
        let words = words(rest);
        let own = words.clone();
        let (first, words) = words.split_first()?;
        let (family, words) = match first.name.as_str() {
            "omp" => (Family::OpenMp, words.to_vec()),
            "pamela" => (Family::Pamela, words.to_vec()),
            // The older name of `depends`.
            "etp" => {
                let mut words = words.to_vec();
                let word = words.first_mut()?;
                word.name = (word.name == "dependency").then(|| "depends".to_string())?;
                (Family::Pamela, words)
            }
            name if is_one_of(HARMLESS, name) => return None,
            name if is_one_of(MOVING, name) => (Family::Moving, own),
            _ => (Family::Unknown, own),
        };
        Some(Pragma {
            family,
            words,
            start,
            place,
        })
    }

    /// True if the word is there.
    pub fn has(&self, name: &str) -> bool {
        self.word(name).is_some()
    }

    pub fn word(&self, name: &str) -> Option<&Word> {
        self.words.iter().find(|word| word.name == name)
    }

    /// The argument of a word.
    pub fn argument(&self, name: &str) -> Option<&str> {
        self.word(name)?.argument.as_deref()
    }

    pub fn is(&self, family: Family, first: &str) -> bool {
        self.family == family && self.words.first().is_some_and(|word| word.name == first)
    }

    /// A standalone directive between statements.
    pub fn is_alone(&self) -> bool {
        const ALONE: [&str; 9] = [
            "barrier",
            "taskwait",
            "taskyield",
            "flush",
            "threadprivate",
            "cancel",
            "cancellation",
            "declare",
            "requires",
        ];
        let first = self.words.first().map(|word| word.name.as_str());
        self.family == Family::OpenMp && first.is_some_and(|first| ALONE.contains(&first))
    }
}

fn is_one_of(names: &str, name: &str) -> bool {
    names.split_whitespace().any(|known| known == name)
}

/// Names, each with the text of the parentheses that follow it.
fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut rest = text.trim_start_matches([' ', '\t', ',', '\n', '\r']);
    while let Some(first) = rest.chars().next() {
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        let length = match first {
            '(' => {
                let length = parenthesized(rest);
                if let Some(word) = words.last_mut() {
                    let inside = &rest[1..length];
                    let inside = inside.strip_suffix(')').unwrap_or(inside);
                    word.argument = Some(inside.trim().to_string());
                }
                length
            }
            _ if is_part(first) => {
                let length = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
                words.push(Word {
                    name: rest[..length].to_string(),
                    argument: None,
                });
                length
            }
            _ => first.len_utf8(),
        };
        rest = rest[length..].trim_start_matches([' ', '\t', ',', '\n', '\r']);
    }
    words
}

/// Number of bytes up to the parenthesis that closes the first one; all bytes if none does.
fn parenthesized(text: &str) -> usize {
    let mut depth = 0_usize;
    for (place, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return place + letter.len_utf8();
        }
    }
    text.len()
}
