//! Encodes x86-64 vector instructions of 512 bits (EVEX) and of 256 bits (VEX).
//!
//! Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, sections 2.3 and
//! 2.7.

/// Number of doubles in a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    /// AVX-512F: vectors of eight doubles, 32 registers.
    Eight,
    /// AVX2 and FMA: vectors of four doubles, 16 registers.
    Four,
}

impl Width {
    pub(super) fn lanes(self) -> usize {
        match self {
            Width::Eight => 8,
            Width::Four => 4,
        }
    }

    pub(super) fn registers(self) -> u8 {
        match self {
            Width::Eight => 32,
            Width::Four => 16,
        }
    }

    /// Widths that this processor supports.
    pub(super) fn available() -> impl Iterator<Item = Width> {
        let eight = is_x86_feature_detected!("avx512f");
        let four = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
        [(Width::Eight, eight), (Width::Four, four)]
            .into_iter()
            .filter_map(|(width, is_there)| is_there.then_some(width))
    }
}

/// A vector register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Register(pub u8);

/// Location of the second source of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Register(Register),
    /// A vector of the table of constants, by index.
    Constant(usize),
    /// A vector spilled to memory, by index.
    Spilled(usize),
    /// The points of a column whose address is in the address register.
    Column,
}

/// Comparison of two numbers; operands are never NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal = 0,
    Less = 1,
    LessEqual = 2,
    NotEqual = 4,
}

/// Instructions with two sources and one target: opcodes of the map 0F with the prefix 66.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arithmetic {
    Add = 0x58,
    Multiply = 0x59,
    Subtract = 0x5c,
    /// The second source if neither is smaller.
    Smaller = 0x5d,
    Divide = 0x5e,
    /// The second source if neither is larger.
    Larger = 0x5f,
}

/// Fused operations on a product and the target: opcodes of the map 0F38 with the prefix 66.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Product {
    /// Adds the target.
    Plus = 0xb8,
    /// Subtracts the target.
    Minus = 0xba,
    /// Subtracts the product from the target.
    Subtracted = 0xbc,
}

/// The registers of addresses, rdx and rcx, as the calling convention of System V fills them: see [`super::memory::Code`].
const CONSTANTS: u8 = 2;
const SPILLED: u8 = 1;
const MAP_0F: u8 = 1;
const MAP_0F38: u8 = 2;
const MAP_0F3A: u8 = 3;
/// The one of AVX2 that takes a vector for a mask.
const BLEND_BY_SIGN: (u8, u8) = (MAP_0F3A, 0x4b);
/// Comparisons write this mask register, and the next instruction reads it.
const MASK: u8 = 1;

/// A mask register, and whether what it leaves out becomes 0.
type Masked = (u8, bool);

pub(super) struct Encoder {
    width: Width,
    pub(super) bytes: Vec<u8>,
}

impl Encoder {
    pub(super) fn new(width: Width) -> Encoder {
        Encoder {
            width,
            bytes: Vec::new(),
        }
    }

    /// An instruction with its prefix: `target`, first source, second source.
    fn instruction(
        &mut self,
        (map, opcode): (u8, u8),
        target: u8,
        first: u8,
        second: Place,
        (mask, zeroing): Masked,
    ) {
        // The bits of the second source beyond the three of its place: 8 and 16.
        let (low, high) = match second {
            Place::Register(Register(number)) => (number >> 3 & 1, number >> 4 & 1),
            // The address of a column is in a register beyond the first eight.
            Place::Column => (1, 0),
            Place::Constant(_) | Place::Spilled(_) => (0, 0),
        };
        let flipped = |bit: u8, place: u8| (bit ^ 1) << place;
        let extension = flipped(target >> 3 & 1, 7) | flipped(high, 6) | flipped(low, 5);
        // All have the prefix 66, and all but one may have the bit W.
        let wide = u8::from((map, opcode) != BLEND_BY_SIGN) << 7;
        let sources = wide | ((first & 15) ^ 15) << 3 | 1;
        match self.width {
            Width::Eight => self.bytes.extend([
                0x62,
                extension | flipped(target >> 4 & 1, 4) | map,
                sources | 4,
                u8::from(zeroing) << 7 | 2 << 5 | flipped(first >> 4 & 1, 3) | mask,
            ]),
            Width::Four => self.bytes.extend([0xc4, extension | map, sources | 4]),
        }
        self.bytes.push(opcode);
        let target = (target & 7) << 3;
        match second {
            Place::Register(Register(number)) => self.bytes.push(0xc0 | target | number & 7),
            Place::Constant(number) => self.based(target, CONSTANTS, number),
            Place::Spilled(number) => self.based(target, SPILLED, number),
            // Address in r10, place in rax.
            Place::Column => self.bytes.extend([target | 4, 2]),
        }
    }

    /// A vector by its number from a base on; vectors of constants and spilled ones are eight doubles apart in both widths.
    fn based(&mut self, target: u8, base: u8, number: usize) {
        self.bytes.push(0x80 | target | base);
        self.bytes.extend((64 * number as u32).to_le_bytes());
    }

    pub(super) fn arithmetic(
        &mut self,
        operator: Arithmetic,
        to: Register,
        first: Register,
        second: Place,
    ) {
        self.instruction((MAP_0F, operator as u8), to.0, first.0, second, (0, false));
    }

    pub(super) fn load(&mut self, to: Register, from: Place) {
        if from != Place::Register(to) {
            self.instruction((MAP_0F, 0x10), to.0, 0, from, (0, false));
        }
    }

    pub(super) fn store(&mut self, from: Register, to: Place) {
        self.instruction((MAP_0F, 0x11), from.0, 0, to, (0, false));
    }

    /// The floor.
    pub(super) fn floor(&mut self, to: Register, of: Place) {
        self.instruction((MAP_0F3A, 0x09), to.0, 0, of, (0, false));
        // Rounds down, without an exception for inexact results.
        self.bytes.push(9);
    }

    /// A product combined with `to`, rounded once, into `to`.
    pub(super) fn product(
        &mut self,
        product: Product,
        to: Register,
        first: Register,
        second: Place,
    ) {
        self.instruction((MAP_0F38, product as u8), to.0, first.0, second, (0, false));
    }

    /// 1 where the comparison holds, else 0; `one` is a vector of ones.
    pub(super) fn compare(
        &mut self,
        comparison: Comparison,
        to: Register,
        first: Register,
        second: Place,
        one: Place,
    ) {
        match self.width {
            Width::Eight => {
                self.mask(comparison, MASK, first, second);
                self.instruction((MAP_0F, 0x10), to.0, 0, one, (MASK, true));
            }
            Width::Four => {
                self.mask(comparison, to.0, first, second);
                self.instruction((MAP_0F, 0x54), to.0, to.0, one, (0, false));
            }
        }
    }

    /// Stores the result of a comparison in a mask register, or in all bits of a vector.
    fn mask(&mut self, comparison: Comparison, to: u8, first: Register, second: Place) {
        self.instruction((MAP_0F, 0xc2), to, first.0, second, (0, false));
        self.bytes.push(comparison as u8);
    }

    /// `then` where `condition` is nonzero, else `otherwise`; overwrites `spare`.
    pub(super) fn select(
        &mut self,
        to: Register,
        [condition, zero, then]: [Place; 3],
        otherwise: Register,
        spare: Register,
    ) {
        self.load(spare, condition);
        match self.width {
            Width::Eight => {
                self.mask(Comparison::NotEqual, MASK, spare, zero);
                self.instruction((MAP_0F38, 0x65), to.0, otherwise.0, then, (MASK, false));
            }
            Width::Four => {
                self.mask(Comparison::NotEqual, spare.0, spare, zero);
                self.instruction(BLEND_BY_SIGN, to.0, otherwise.0, then, (0, false));
                self.bytes.push(spare.0 << 4);
            }
        }
    }

    /// Loads the address of an input column into the address register.
    pub(super) fn input(&mut self, number: usize) {
        // mov r10, [rdi + 8 * number]
        self.bytes.extend([0x4c, 0x8b, 0x97]);
        self.bytes.extend((8 * number as u32).to_le_bytes());
    }

    /// Loads the address of a result column into the address register.
    pub(super) fn output(&mut self, number: usize) {
        // mov r10, [rsi + 8 * number]
        self.bytes.extend([0x4c, 0x8b, 0x96]);
        self.bytes.extend((8 * number as u32).to_le_bytes());
    }

    /// Code before the first vector of points: xor eax, eax.
    pub(super) fn begin(&mut self) -> usize {
        self.bytes.extend([0x31, 0xc0]);
        self.bytes.len()
    }

    /// Advances to the next vector while there is one; then returns.
    pub(super) fn end(&mut self, start: usize) {
        // add rax, bytes of a vector; cmp rax, r8; jb start; vzeroupper; ret
        let bytes = 8 * self.width.lanes() as u8;
        self.bytes
            .extend([0x48, 0x83, 0xc0, bytes, 0x4c, 0x39, 0xc0, 0x0f, 0x82]);
        let distance = start as i32 - (self.bytes.len() as i32 + 4);
        self.bytes.extend(distance.to_le_bytes());
        self.bytes.extend([0xc5, 0xf8, 0x77, 0xc3]);
    }
}
