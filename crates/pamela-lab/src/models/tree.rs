//! Random models as trees of text, so a failing model can be reduced to the smallest part that fails.

/// Kind of a part: a part may be replaced by another one of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Model,
    Number,
    Bound,
    Vector,
    Process,
    Facts,
}

/// Text pieces with trees between them.
#[derive(Clone, Debug)]
pub struct Tree {
    pub kind: Kind,
    pieces: Vec<String>,
    parts: Vec<Tree>,
    /// True if the order of the two parts does not matter.
    pub commutes: bool,
}

/// A way to write the same model.
#[derive(Clone, Copy, Debug)]
pub struct Spelling {
    /// First letter of index names.
    pub index: &'static str,
    /// True if the operands of commutative operators change places.
    pub swapped: bool,
}

impl Tree {
    pub fn leaf(kind: Kind, text: impl Into<String>) -> Tree {
        Tree::of(kind, [text], Vec::new())
    }

    pub fn of<T: Into<String>>(
        kind: Kind,
        pieces: impl IntoIterator<Item = T>,
        parts: Vec<Tree>,
    ) -> Tree {
        Tree {
            kind,
            pieces: pieces.into_iter().map(Into::into).collect(),
            parts,
            commutes: false,
        }
    }

    /// The text. `#` in a piece begins the name of an index.
    pub fn text(&self, spelling: Spelling) -> String {
        let mut text = String::new();
        self.write(spelling, &mut text);
        text
    }

    fn write(&self, spelling: Spelling, text: &mut String) {
        let backwards = spelling.swapped && self.commutes;
        for (position, piece) in self.pieces.iter().enumerate() {
            text.push_str(&piece.replace('#', spelling.index));
            let part = if backwards && position < self.parts.len() {
                self.parts.len() - 1 - position
            } else {
                position
            };
            if let Some(part) = self.parts.get(part) {
                part.write(spelling, text);
            }
        }
    }

    pub fn size(&self) -> usize {
        1 + self.parts.iter().map(Tree::size).sum::<usize>()
    }

    /// The smallest tree found by reduction steps for which `fails` still holds.
    pub fn shrunk(&self, fails: &dyn Fn(&Tree) -> bool) -> Tree {
        let mut tree = self.clone();
        while let Some(smaller) = tree.smaller().into_iter().find(|other| fails(other)) {
            tree = smaller;
        }
        tree
    }

    /// Trees with one part cut down, the smallest first.
    fn smaller(&self) -> Vec<Tree> {
        let mut found: Vec<Tree> = self.cuts();
        for (position, part) in self.parts.iter().enumerate() {
            found.extend(part.smaller().into_iter().map(|smaller| {
                let mut next = self.clone();
                next.parts[position] = smaller;
                next
            }));
        }
        found.sort_by_key(Tree::size);
        found
    }

    /// A part in place of the whole, or a constant.
    fn cuts(&self) -> Vec<Tree> {
        let constants: &[&str] = match self.kind {
            Kind::Number | Kind::Bound => &["0", "1", "2"],
            Kind::Vector => &["[0]", "[1]"],
            Kind::Process => &["delay(1)"],
            Kind::Facts => &[""],
            Kind::Model => &[],
        };
        let known = constants.iter().position(|c| self.pieces == [*c]);
        let constants = constants[..known.unwrap_or(constants.len())].iter();
        let parts = self.parts.iter().filter(|part| part.kind == self.kind);
        parts
            .cloned()
            .chain(constants.map(|text| Tree::leaf(self.kind, *text)))
            .collect()
    }
}
