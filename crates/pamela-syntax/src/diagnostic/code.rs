//! Stable codes of diagnostics, for editors and scripts.

/// Code of a diagnostic. The slug of a code does not change between versions; messages may.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Code {
    #[default]
    Other,
    Syntax,
    UnknownCharacter,
    TextUnclosed,
    NumberMalformed,
    BracketUnmatched,
    BracketUnclosed,
    NestingTooDeep,
    TooLarge,
    FileUnreadable,
    FileCycle,
    NameUnbound,
    NameDuplicate,
    NamePredefined,
    NameOfResult,
    TypeMismatch,
    ArgumentCount,
    ArgumentNamed,
    Recursion,
    Declaration,
    FactMisplaced,
    Replacement,
    AssumptionNotRelation,
    TaskUnknown,
    IndexCount,
    Import,
    Record,
    Sort,
    Constant,
    Unit,
    UnitUnknown,
    Assertion,
    Samples,
    RecordedTasks,
    Deadlock,
    LawArgument,
    FactsContradict,
    Unsupported,
    WarningSameServer,
    WarningRemainder,
    WarningNegativeTime,
    WarningUnit,
    WarningReplacement,
    WarningHolding,
}

impl Code {
    /// All codes with their slugs and a description of each.
    pub const ALL: [(Code, &'static str, &'static str); 44] = [
        (Code::Other, "other", "any other error"),
        (Code::Syntax, "syntax", "the grammar does not allow this"),
        (
            Code::UnknownCharacter,
            "unknown-character",
            "a character that the language does not use",
        ),
        (
            Code::TextUnclosed,
            "text-unclosed",
            "a text without its closing quote",
        ),
        (
            Code::NumberMalformed,
            "number-malformed",
            "a number followed by letters or a second point",
        ),
        (
            Code::BracketUnmatched,
            "bracket-unmatched",
            "a closing bracket without its opening one",
        ),
        (
            Code::BracketUnclosed,
            "bracket-unclosed",
            "a bracket that is not closed",
        ),
        (
            Code::NestingTooDeep,
            "nesting-too-deep",
            "brackets and forms nested too deeply",
        ),
        (
            Code::TooLarge,
            "too-large",
            "an equation or a file that exceeds a limit",
        ),
        (
            Code::FileUnreadable,
            "file-unreadable",
            "a file that cannot be read",
        ),
        (
            Code::FileCycle,
            "file-cycle",
            "a file that includes or imports itself",
        ),
        (
            Code::NameUnbound,
            "name-unbound",
            "a name without a definition",
        ),
        (
            Code::NameDuplicate,
            "name-duplicate",
            "a name that is defined twice",
        ),
        (
            Code::NamePredefined,
            "name-predefined",
            "a definition of a predefined name",
        ),
        (
            Code::NameOfResult,
            "name-of-result",
            "a definition whose name belongs to a result",
        ),
        (
            Code::TypeMismatch,
            "type-mismatch",
            "a number, process or resource in the place of another",
        ),
        (
            Code::ArgumentCount,
            "argument-count",
            "a wrong number of arguments",
        ),
        (
            Code::ArgumentNamed,
            "argument-named",
            "an argument with a name that is not allowed",
        ),
        (
            Code::Recursion,
            "recursion",
            "a definition in terms of itself that is no recurrence with a solution",
        ),
        (
            Code::Declaration,
            "declaration",
            "a definition without a value, or of a wrong form",
        ),
        (
            Code::FactMisplaced,
            "fact-misplaced",
            "a fact about something that cannot have it",
        ),
        (Code::Replacement, "replacement", "a wrong use of `at`"),
        (
            Code::AssumptionNotRelation,
            "assumption-not-relation",
            "an assumption that is a number",
        ),
        (
            Code::TaskUnknown,
            "task-unknown",
            "a task that the graph does not have",
        ),
        (
            Code::IndexCount,
            "index-count",
            "a wrong number of indices of a task",
        ),
        (Code::Import, "import", "a wrong import"),
        (Code::Record, "record", "a wrong use of a record or table"),
        (
            Code::Sort,
            "sort",
            "a vector, a law or a scalar in the place of another",
        ),
        (
            Code::Constant,
            "constant",
            "a constant that is out of range",
        ),
        (Code::Unit, "unit", "units that do not fit together"),
        (Code::UnitUnknown, "unit-unknown", "an unknown unit"),
        (Code::Assertion, "assertion", "a wrong assertion"),
        (
            Code::Samples,
            "samples",
            "samples that cannot be read from a file",
        ),
        (
            Code::RecordedTasks,
            "recorded-tasks",
            "tasks that cannot be read from a file",
        ),
        (
            Code::Deadlock,
            "deadlock",
            "resources that are held in a circle",
        ),
        (
            Code::LawArgument,
            "law-argument",
            "an argument of a law that is always out of range",
        ),
        (
            Code::FactsContradict,
            "facts-contradict",
            "facts that contradict each other",
        ),
        (
            Code::Unsupported,
            "unsupported",
            "a construct that is not supported yet",
        ),
        (
            Code::WarningSameServer,
            "same-server",
            "two resources that may be the same server",
        ),
        (
            Code::WarningRemainder,
            "remainder-in-comment",
            "a comment that looks like a remainder",
        ),
        (
            Code::WarningNegativeTime,
            "negative-time",
            "a time that may be negative",
        ),
        (Code::WarningUnit, "doubtful-unit", "a doubtful unit"),
        (
            Code::WarningReplacement,
            "replacement-without-effect",
            "an `at` that replaces nothing",
        ),
        (
            Code::WarningHolding,
            "held-resources",
            "a doubtful order of held resources",
        ),
    ];

    /// The slug, such as `name-unbound`.
    pub fn slug(self) -> &'static str {
        let mut all = Code::ALL.iter();
        all.find(|(code, ..)| *code == self)
            .map_or("other", |(_, slug, _)| slug)
    }
}
