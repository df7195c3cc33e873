//! Calls of functions: of the program, of libraries, of OpenMP.

use super::assigned::passed;
use super::functions::CALLER;
use super::library::{self, ExternalFunction, Order};
use super::messages::Called;
use super::mpi::{is_of_messages, keeps_requests};
use super::number::*;
use super::part::*;
use super::state::Walked;
use super::value::Value;
use super::walker::Walker;
use crate::problem::Problem;
use crate::source::tree::*;

impl Walker<'_> {
    /// The value of a call, with its part among the pending ones.
    pub fn called(
        &mut self,
        expression: &Expression,
        function: &Expression,
        arguments: &[Expression],
    ) -> Result<Value, Problem> {
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            values.push(self.value(argument)?);
        }
        // What an argument returns is not what this call returns.
        self.returned_object = None;
        let before = function
            .name()
            .map(|name| self.before_message(name, arguments, &values));
        self.written_by_call(expression);
        let written = self.whole.written_outside(self.function, expression);
        self.forget_globals(&written, expression.span);
        let Some(name) = function.name() else {
            self.value(function)?;
            return self.by_pointer(function, arguments, values, expression.span);
        };
        let is_outside = self.whole.function(name, self.function).is_none();
        if is_outside && self.world.is_some() && is_of_messages(name) {
            let called = Called {
                name: name.trim_start_matches("PMPI_").trim_start_matches("MPI_"),
                arguments,
                values: &values,
                span: expression.span,
                before: before.unwrap_or_default(),
            };
            return Ok(self.message_call(&called));
        }
        if is_outside && let Some(number) = self.argument(name, arguments, expression.span) {
            return Ok(Value::integer(Some(number)));
        }
        if is_outside && let Some(value) = self.of_library(name, &values) {
            return Ok(value);
        }
        let Some(callee) = self.whole.function(name, self.function) else {
            // A local variable that is called holds the address of some function.
            return if self.values.get(name).is_some() {
                self.by_pointer(function, arguments, values, expression.span)
            } else {
                Ok(self.outside(name, expression, &values))
            };
        };
        self.called_function(callee, arguments, values, expression.span)
    }

    /// A call of a function of the program.
    fn called_function(
        &mut self,
        callee: usize,
        arguments: &[Expression],
        values: Vec<Value>,
        span: Span,
    ) -> Result<Value, Problem> {
        let formals = &self.whole.functions[callee].function.formals;
        let objects = arguments.iter().enumerate().map(|(place, argument)| {
            if formals.get(place).is_some_and(|formal| formal.is_pointer) {
                self.pointee(argument)
            } else {
                self.object(argument)
            }
        });
        let objects: Vec<Option<String>> = objects.collect();
        self.instance_of(callee, values, objects, span)
    }

    /// A function that is in none of the files.
    fn outside(&mut self, name: &str, call: &Expression, values: &[Value]) -> Value {
        let ExpressionKind::Call(_, arguments) = &call.kind else {
            return Value::unknown();
        };
        let known = library::outside(name);
        let handed = arguments
            .iter()
            .find_map(|argument| self.whole.handed(self.function, argument));
        let handed = handed.filter(|at| {
            let sorts = matches!(
                known,
                ExternalFunction::Known(Order::Sorting(_) | Order::Searching(_))
            );
            !(sorts && self.whole.is_straight(*at))
        });
        let problem = match (handed, &known) {
            (None, ExternalFunction::Refused { reason, .. }) => Problem::new(reason.clone()),
            (Some(at), _) => {
                let handed = &self.whole.functions[at].function.name;
                Problem::new(match &known {
                    ExternalFunction::Refused { reason, .. } => {
                        format!("{reason}; it runs `{handed}`")
                    }
                    ExternalFunction::Known(_) => {
                        format!("`{name}` calls `{handed}`, whose time is not straight code")
                    }
                })
            }
            (None, ExternalFunction::Known(Order::Constant)) => return Value::outside(),
            (None, ExternalFunction::Known(order)) => match self.order_of(*order, call, values) {
                Some(size) => {
                    let unit = match order {
                        Order::Product(_, unit) => *unit,
                        Order::Length(_) => "one letter",
                        _ => "one comparison",
                    };
                    let time =
                        self.machine_time(&format!("t_{name}"), &format!("{unit} of {name}"));
                    let cost = time.times(&size).unwrap_or(time);
                    self.pending.push(Part::Cost(cost));
                    return Value::outside();
                }
                None => Problem::new(format!("the size of the work of `{name}` depends on data")),
            },
        };
        let problem = problem
            .at(self.place(call.span))
            .hint("give its cost in front of the statement: #pragma pamela cost(a * n)");
        let part = self.opaque(call.span, problem);
        self.pending.push(part);
        Value::unknown()
    }

    /// `atoi(argv[1])`, where the user has a name for it.
    fn argument(&mut self, name: &str, arguments: &[Expression], span: Span) -> Option<Number> {
        const CONVERSIONS: [&str; 7] = [
            "atoi", "atol", "atoll", "strtol", "strtoll", "strtoul", "strtoull",
        ];
        let ExpressionKind::Index(_, index) = &arguments.first()?.kind else {
            return None;
        };
        let ExpressionKind::Number(index) = &index.kind else {
            return None;
        };
        let index: usize = index.parse().ok().filter(|_| CONVERSIONS.contains(&name))?;
        let named = self
            .arguments
            .iter()
            .find(|(_, argument)| *argument == index)?;
        let name = named.0.clone();
        // One value, wherever it is converted.
        let what = format!("argv[{index}]");
        let asking = self.asking.replace(what.clone());
        let number = self.value_parameter(&name, span, &what);
        self.asking = asking;
        self.given_names.entry(name).or_insert(1);
        Some(number)
    }

    /// A call by address: of the only function with as many arguments whose address the program keeps.
    fn by_pointer(
        &mut self,
        pointer: &Expression,
        arguments: &[Expression],
        values: Vec<Value>,
        span: Span,
    ) -> Result<Value, Problem> {
        // What the function to model is called with may be any function.
        let formals = &self.whole.functions[self.function].function.formals;
        let is_given = self.stack.len() <= 1
            && formals
                .iter()
                .any(|own| pointer.name() == Some(own.name.as_str()));
        let target = self
            .whole
            .only_target(arguments.len())
            .filter(|_| !is_given);
        if let Some(callee) = target.filter(|callee| !self.stack.contains(callee)) {
            let name = &self.whole.functions[callee].function.name;
            let note = format!(
                "a call by address is taken for one of `{name}`, the only such function whose address is kept"
            );
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
            return self.called_function(callee, arguments, values, span);
        }
        let problem = Problem::new("a function is called through a pointer")
            .at(self.place(span))
            .hint("give its cost: #pragma pamela cost(a * n)");
        let part = self.opaque(span, problem);
        self.pending.push(part);
        Ok(Value::unknown())
    }

    fn instance_of(
        &mut self,
        callee: usize,
        values: Vec<Value>,
        objects: Vec<Option<String>>,
        span: Span,
    ) -> Result<Value, Problem> {
        self.returned_object = None;
        if self.is_replaced(callee, &values, span)? {
            return Ok(Value::unknown());
        }
        if self.stack.last() == Some(&callee) {
            let numbers = self.handed_over(callee, values);
            self.pending.push(Part::Again(numbers));
            self.forget_assigned(callee, span);
            return Ok(Value::unknown());
        }
        let formals = self.whole.functions[callee].function.formals.len();
        let mut numbers = self.handed_over(callee, values);
        numbers.resize(formals.max(numbers.len()), None);
        // Values of globals and members are passed like arguments if they are expressed in variables of the caller.
        let hidden = self.hidden(callee);
        numbers.extend(hidden.iter().map(|(_, number)| Some(number.clone())));
        let walked = self.call(callee, &numbers, &objects, &hidden)?;
        self.returned_object = Some(walked.object.clone());
        let with_arguments = |number: &Number| {
            let mut number = number.clone();
            for (place, symbol) in walked.formals.iter().filter(|(place, _)| *place != CALLER) {
                number = number.with(*symbol, numbers.get(*place)?.as_ref()?)?;
            }
            Some(number)
        };
        if self.whole.is_recursive(callee) {
            // The state after the last of many calls is not known.
            self.forget_assigned(callee, span);
            self.push_call(&walked, &numbers);
            return Ok(Value::unknown());
        }
        for (name, binding) in &walked.globals {
            let value = binding.value.as_ref().and_then(&with_arguments);
            // Elements of arrays have places of their own once they are written.
            let global = self.values.globals.entry(name.clone());
            let global = global.or_insert_with(|| binding.clone());
            global.value = value;
            global.object = binding.object.clone();
        }
        if self.whole.is_of_members(callee) {
            self.values.objects = walked.objects.clone();
            for (_, number) in self.values.objects.numbers() {
                *number = number.as_ref().and_then(&with_arguments);
            }
        }
        self.push_call(&walked, &numbers);
        let kind = self.whole.functions[callee].function.kind;
        let returned = walked.returned.as_ref().and_then(with_arguments);
        Ok(Value::of_kind(kind, returned))
    }

    /// The values of arguments as the formals hold them.
    fn handed_over(&mut self, callee: usize, values: Vec<Value>) -> Vec<Option<Number>> {
        let formals = &self.whole.functions[callee].function.formals;
        let values = values.into_iter().enumerate();
        values
            .map(
                |(place, value)| match formals.get(place).map(|formal| formal.kind) {
                    Some(kind @ Kind::Integer { .. }) => self.converted(value, kind).number,
                    _ => value.number.filter(|_| !value.real),
                },
            )
            .collect()
    }

    /// True if a call is replaced rather than walked: its cost is stated, it is to be ignored, or its text cannot be
    /// walked and becomes opaque. What it may assign is then unknown.
    fn is_replaced(
        &mut self,
        callee: usize,
        values: &[Value],
        span: Span,
    ) -> Result<bool, Problem> {
        let function = self.whole.functions[callee].function;
        let is_ignore = |p: &crate::source::Pragma| p.is(crate::source::Family::Pamela, "ignore");
        if let Some(cost) = self.stated_cost(callee, values)? {
            self.pending.push(Part::Cost(cost));
        } else if function.pragmas.iter().any(is_ignore) {
            return Ok(true);
        } else if let Some(problem) = self.cannot_walk(callee) {
            let caller = std::mem::replace(&mut self.function, callee);
            let part = self.opaque(function.span, problem);
            self.function = caller;
            self.pending.push(part);
        } else {
            return Ok(false);
        }
        self.forget_assigned(callee, span);
        Ok(true)
    }

    /// Forgets the values of everything that a function assigns.
    pub fn forget_assigned(&mut self, callee: usize, span: Span) {
        let changed = self.whole.globals_assigned(callee);
        let changed: Vec<String> = changed.iter().map(ToString::to_string).collect();
        self.forget_globals(&changed, span);
    }

    /// Adds the call of a walked function that has a cost, with the arguments that its cost is said in.
    fn push_call(&mut self, walked: &Walked, numbers: &[Option<Number>]) {
        let Some(instance) = walked.instance else {
            return;
        };
        if self.instances[instance].body.is_nothing() {
            return;
        }
        let used = &self.instances[instance].formals;
        let arguments: Option<Vec<Number>> = walked
            .formals
            .iter()
            .filter(|(_, symbol)| used.contains(symbol))
            .map(|(place, symbol)| match *place {
                CALLER => Some(Number::symbol(*symbol)),
                place => numbers.get(place).cloned().flatten(),
            })
            .collect();
        let call = Part::Call(instance, arguments.unwrap_or_default());
        self.pending.push(call);
    }

    fn cannot_walk(&self, callee: usize) -> Option<Problem> {
        let function = self.whole.functions[callee].function;
        let name = &function.name;
        let is_around = self.stack.contains(&callee) && self.stack.last() != Some(&callee);
        let message = if is_around || self.whole.is_recursive(callee) && !self.may_recur(callee) {
            format!("{name} calls itself")
        } else if let Some(place) = &function.broken {
            format!("{place} is not understood")
        } else if let Some(reason) = self.whole.refused(callee) {
            format!("{name} {reason}")
        } else {
            return None;
        };
        let problem = Problem::new(message).at(function.place.clone());
        Some(problem.hint("give its cost in front of it: #pragma pamela cost(a * n * log(n))"))
    }

    /// Globals and members have values that are not known any more.
    fn forget_globals(&mut self, names: &[String], span: Span) {
        for name in names {
            if name.starts_with("->") {
                self.forget(std::slice::from_ref(name), span);
            } else if let Some(binding) = self.values.globals.get_mut(name) {
                binding.value = None;
            }
        }
    }

    /// `f(&n)` may change `n`, and `f(size)` the elements of an array; `scanf("%d", &n)` gives it a value from outside.
    fn written_by_call(&mut self, call: &Expression) {
        let ExpressionKind::Call(function, arguments) = &call.kind else {
            return;
        };
        let callee = function.name();
        if callee.is_some_and(keeps_requests) {
            return;
        }
        let is_outside =
            callee.is_some_and(|name| self.whole.function(name, self.function).is_none());
        for argument in arguments {
            let ExpressionKind::Unary(operator, inner) = &argument.kind else {
                continue;
            };
            if let Some(name) = self.known_place(inner).filter(|_| operator == "&") {
                if let Some((array, kind)) = inner
                    .array()
                    .and_then(|a| Some((a, self.values.element(a)?)))
                {
                    self.values.add_element(array, &name, kind);
                }
                self.forget_for(&[name], call.span, is_outside);
            }
        }
        for array in passed(call) {
            self.forget_for(&self.values.elements(array), call.span, is_outside);
        }
    }

    /// Functions whose value matters for bounds.
    fn of_library(&mut self, name: &str, values: &[Value]) -> Option<Value> {
        let first = || values.first().and_then(|value| value.number.clone());
        let second = || values.get(1).and_then(|value| value.number.clone());
        let real = |number: Option<Number>| Some(Value::real(number));
        let function = |name: &'static str| {
            first().map(|number| Number::atom(Atom::Function(name, vec![number])))
        };
        let whole = |number: Option<Number>| Some(Value::integer(number));
        match name {
            "sqrt" | "sqrtf" => real(function("sqrt")),
            "log2" | "log2f" => real(function("log2")),
            "log" => real(function("log")),
            "floor" | "floorf" => real(function("floor")),
            "ceil" | "ceilf" => real(function("ceil")),
            "fmin" => real(Some(first()?.smaller(&second()?))),
            "fmax" => real(Some(first()?.larger(&second()?))),
            "pow" => real(Some(Number::atom(Atom::Power(first()?, second()?)))),
            "abs" | "labs" => {
                let number = first()?;
                let negative = number.scaled(-1)?;
                whole(Some(if self.facts.nonnegative(&number) {
                    number
                } else {
                    number.larger(&negative)
                }))
            }
            "omp_get_thread_num" => whole(self.thread_number()),
            "omp_get_num_threads" => whole(Some(match &self.team {
                Some((threads, _)) => threads.clone(),
                None => Number::constant(1),
            })),
            "omp_get_max_threads" | "omp_get_num_procs" => whole(Some(self.default_threads())),
            "omp_set_num_threads" => {
                match first() {
                    Some(number) => self.threads = Some(number),
                    None => self.threads = None,
                }
                whole(None)
            }
            "omp_get_wtime" | "omp_get_wtick" | "omp_set_dynamic" | "omp_set_nested" => whole(None),
            _ => None,
        }
    }
}
