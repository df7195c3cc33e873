; Later patterns win.

(name) @variable
(comment) @comment
(text) @string
(number) @number
(unit) @constant

[
  "numeric" "process" "resource" "parameter" "kept" "unknown" "assume" "assert" "when" "include" "import" "from" "as" "with" "record"
  "table" "unit" "integer" "law" "increasing" "decreasing"
] @keyword

[
  "if" "else" "switch" "seq" "par" "any" "open" "graph" "after" "for" "in" "default" "tracks" "order" "free" "delay" "use" "of"
] @keyword.control

[ "mod" "div" ] @keyword.operator
[ "+" "-" "*" "/" "^" "||" "&&" "==" "!=" "<=" ">=" "<" ">" "!" "=" "<>" ] @operator
[ "(" ")" "{" "}" "[" "]" ] @punctuation.bracket
[ "," ";" ":" "." ] @punctuation.delimiter

(numeric name: (name) @function)
(process name: (name) @function)
(resource name: (name) @type)
(record name: (name) @type)
(table name: (name) @type)
(row name: (name) @constant)
(field name: (name) @property)
(named name: (name) @property)
(formal name: (name) @variable.parameter)
(range index: (name) @variable.parameter)
(index index: (name) @variable.parameter)
(recorded index: (name) @variable.parameter)
(reduction operator: _ @function.builtin)

(call function: (path) @function.call (arguments))

((call function: (path) @function.builtin (arguments))
 (#any-of? @function.builtin
  "max" "min" "floor" "ceil" "abs" "sqrt" "log" "exp" "integer" "unitvec" "H" "fact" "lgamma" "erlangB" "erlangC" "wait" "binom"
  "gcd" "floorsum" "log2" "ln" "cbrt" "root" "E" "Var" "Skw" "Kur" "K3" "K4" "quantile" "prob" "T" "phi" "delta" "omega" "time"
  "L" "U" "at" "fcfs" "servers"))

((call function: (path) @type.builtin (arguments))
 (#any-of? @type.builtin
  "moments" "exponential" "normal" "uniform" "erlang" "gamma" "weibull" "lognormal" "bernoulli" "binomial" "poisson" "geometric"
  "beta" "pareto" "deterministic" "rayleigh" "truncated" "residual" "mixture" "empirical"))
