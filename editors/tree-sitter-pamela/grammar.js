// PAMELA for tree-sitter. `crates/pamela-syntax/src/syntax/grammar.pest` is the grammar of the compiler; a test compares their
// words, and that this one reads all models. README.md says how to write the parser again.

const list = (rule, separator = ",") => seq(rule, repeat(seq(separator, rule)));
const inBraces = family => seq("{", list(family, ";"), optional(";"), "}");

// Loosest first.
const TIGHT = { branch: 1, or: 2, and: 3, compare: 4, sum: 5, product: 6, prefix: 7, power: 8 };

const operators = [
  ["or", prec.left, "||"], ["and", prec.left, "&&"], ["compare", prec.left, "==", "!=", "<=", ">=", "<", ">"],
  ["sum", prec.left, "+", "-"], ["product", prec.left, "*", "/", "mod", "div"], ["power", prec.right, "^"],
];

export default grammar({
  name: "pamela",
  word: $ => $._word,
  extras: $ => [/\s/, $.comment],
  supertypes: $ => [$.expression, $.item],
  inline: $ => [$._labelled],

  rules: {
    model: $ => repeat($.item),

    // ---- items

    item: $ => choice(
      $.numeric, $.process, $.resource, $.assumption, $.assertion, $.inclusion, $.import, $.from, $.record, $.unit_declaration, $.table),

    numeric: $ => seq(
      "numeric", optional(choice("parameter", "kept", "unknown")), $._head, optional(seq("=", field("value", $.expression)))),
    process: $ => seq(
      "process", optional("parameter"), $._head, optional(seq("=", optional($.arrivals), field("value", $._process)))),
    resource: $ => seq("resource", optional("parameter"), $._head, optional(seq("=", field("value", $.call)))),
    _head: $ => seq(field("name", $.name), optional($.formals), optional($.facts)),
    assumption: $ => seq("assume", list($.expression)),
    assertion: $ => seq("assert", $.expression, optional(seq("when", $.expression))),
    inclusion: $ => seq("include", $.text),
    import: $ => seq("import", $.text, optional(seq("as", $.name)), optional($.given)),
    from: $ => seq("from", $.text, "import", list($.name), optional($.given)),
    record: $ => seq("record", field("name", $.name), "{", optional(seq(list($.field), optional(","))), "}"),
    unit_declaration: $ => seq("unit", $.units, optional(seq("=", $.number, $.units))),
    table: $ => seq(
      "table", field("name", $.name), optional(seq(":", $.path)), choice(seq("=", $.text), seq("{", repeat($.row), "}"))),

    formals: $ => seq("(", optional(list($.formal)), ")"),
    formal: $ => seq(field("name", $.name), optional(seq(":", $.units)), optional(seq("=", $.expression))),
    field: $ => seq(field("name", $.name), optional($.facts)),
    row: $ => seq(field("name", $.name), ":", list(choice($.expression, $.named))),
    given: $ => seq("with", "(", list($.named), ")"),

    facts: $ => seq(":", choice($.path, repeat1($._fact))),
    _fact: $ => choice("integer", "law", $.monotone, $.bound, $.units),
    monotone: $ => seq(choice("increasing", "decreasing"), optional(seq("(", list($.name), ")"))),
    // A bound has no comparisons: the next sign is another bound.
    bound: $ => prec.left(TIGHT.compare, seq(choice(">=", "<=", ">", "<"), $.expression)),

    // ---- numbers

    expression: $ => choice($._primary, $.conditional, $.binary, $.prefix),
    binary: $ => choice(...operators.map(([name, associate, ...signs]) => associate(TIGHT[name], seq(
      field("left", $.expression), field("operator", signs.length > 1 ? choice(...signs) : signs[0]), field("right", $.expression))))),
    prefix: $ => prec(TIGHT.prefix, seq(field("operator", choice("-", "!")), $.expression)),
    _primary: $ => choice(
      $.quantity, $.call, $.text, $.vector, $.parenthesized, $.braced, $.reduction, $.switch, alias($._numeric_graph, $.graph)),
    quantity: $ => prec.right(seq($.number, optional($.units))),
    parenthesized: $ => seq("(", $.expression, ")"),
    braced: $ => seq("{", $.expression, "}"),
    vector: $ => seq("[", list($.expression), "]"),
    // Both branches reach as far as they can.
    conditional: $ => prec.right(TIGHT.branch, seq("if", $.parenthesized, $.expression, "else", $.expression)),
    switch: $ => seq("switch", "{", list($.arm), "}"),
    arm: $ => seq($.expression, ":", $.expression),

    call: $ => prec.right(choice(
      seq(field("function", $.path), optional($.arguments)),
      seq(field("function", alias(choice("graph", "open"), $.path)), optional($.arguments)),
      seq(field("function", alias(choice("max", "min"), $.path)), alias($._operands, $.arguments)))),
    _operands: $ => seq("(", list($.expression), ")"),
    arguments: $ => seq("(", optional(list(choice($.expression, $.point, $.named))), ")"),
    // A point of `steps` and `linear`.
    point: $ => seq($.expression, ":", $.expression),
    named: $ => seq(field("name", $.name), "=", $.expression),

    // `max (i = 1, n) f(i)`, but `max(a, b)` is a call.
    reduction: $ => seq(field("operator", choice("sum", "prod", "kth", "max", "min")), $.range, $._primary),
    range: $ => seq("(", choice(
      seq(field("index", $.name), "in", $.path),
      seq(optional(seq($.expression, "of")), field("index", $.name), "=", list($.expression))), ")"),

    units: $ => seq("[", list($._unit_power, choice("*", "/")), "]"),
    _unit_power: $ => seq(choice($.unit, $.number), optional(seq("^", optional("-"), $.number))),
    unit: $ => $._name,

    // ---- processes

    arrivals: $ => seq("open", $.parenthesized),
    _process: $ => choice($._labelled, $.composition),
    composition: $ => choice(
      prec.left(1, seq($._process, ";", $._process)),
      prec.left(2, seq($._process, choice("||", "<>"), $._process))),
    _labelled: $ => choice($._step, $.labelled),
    labelled: $ => prec.left(seq($._step, "as", field("label", $.name))),
    _step: $ => choice(
      $.delay, $.use, $.replication, alias($._if, $.branch), alias($._switch, $.switch), $.block, $.graph, $.call),
    block: $ => seq("{", $._process, optional(";"), "}"),
    delay: $ => seq("delay", "(", $.expression, ")"),
    use: $ => seq("use", "(", $.expression, choice(seq(",", $.expression, ")"), seq(")", $.block))),
    replication: $ => prec.right(seq(field("operator", choice("seq", "par", "any")), $.range, $._labelled)),
    _if: $ => prec.right(seq("if", $.parenthesized, $._labelled, optional(seq("else", $._labelled)))),
    _switch: $ => seq("switch", "{", list(alias($._process_arm, $.arm)), "}"),
    _process_arm: $ => seq($.expression, ":", $._process),

    // ---- graphs of tasks

    graph: $ => seq("graph", choice(inBraces($.family), seq($.recorded, $._step))),
    family: $ => seq(field("name", $.name), optional($.indices), ":", $._step, optional($.after)),
    _numeric_graph: $ => seq("graph", choice(inBraces(alias($._numeric_family, $.family)), seq($.recorded, $.braced))),
    _numeric_family: $ => seq(field("name", $.name), optional($.indices), ":", $.expression, optional($.after)),
    indices: $ => seq("(", list($.index, ";"), ")"),
    index: $ => seq(field("index", $.name), "=", $.expression, ",", $.expression),
    after: $ => seq("after", list($.reference)),
    reference: $ => seq(
      field("name", $.name), optional($.arguments), optional(seq("for", $.indices)), optional(seq("if", $.parenthesized))),
    recorded: $ => seq(
      "(", field("index", $.name), "in", list($.text), optional(seq(",", "default", "=", $.expression)),
      optional(seq(",", "tracks", "=", choice("order", "free"))), ")"),

    // ---- tokens

    path: $ => seq(choice($._word, "kept", "unknown"), repeat(seq(token.immediate("."), alias(token.immediate(/[A-Za-z_][A-Za-z0-9_]*/), $.name)))),
    name: $ => $._name,
    // Words that mean something in some places only, where a name may stand, too.
    _name: $ => choice($._word, "kept", "unknown", "open", "graph", "max", "min"),
    _word: () => /[A-Za-z_][A-Za-z0-9_]*/,
    number: () => /[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?/,
    text: () => /"[^"]*"/,
    comment: () => /%[^\n]*/,
  },
});
