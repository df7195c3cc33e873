//! Models as text.

use std::collections::{BTreeMap, BTreeSet};

use super::condense;
use super::drawn;
use super::number::*;
use super::part::*;
use super::process::{Equation, Process, Resource, calls, inner, symbols};
use super::translate::Translator;
use super::walker::{Role, Walker};
use super::within::All;
use super::writer::Writer;
use super::{Described, Model, NotUnderstood};
use crate::problem::{Place, Problem};

/// Writes down the model whose main process does this part.
///
/// A model of more than `lines` lines is shortened; 0 keeps all of them.
pub fn print(
    walker: &mut Walker,
    body: &Part,
    counts: bool,
    lines: usize,
) -> Result<Model, Problem> {
    let (body, apart) = &drawn::set_apart(walker, body);
    let mut translator = Translator::new(walker);
    let mut processes = vec![(None, Vec::new(), translator.entry(body))];
    // Only what is called, in the order of the calls.
    let mut called = calls(&processes[0].2);
    called.extend(apart);
    let mut next = 0;
    while next < called.len() {
        let at = called[next];
        let instance = translator.walker.instances[at].clone();
        let process = translator.process(&instance.body, instance.team.as_ref());
        for callee in calls(&process) {
            if !called.contains(&callee) {
                called.push(callee);
            }
        }
        processes.push((Some(at), instance.formals.clone(), process));
        next += 1;
    }
    let resources = std::mem::take(&mut translator.resources);
    let whole = std::mem::take(&mut translator.whole);
    let notes = std::mem::take(&mut translator.notes);
    let all = All {
        resources,
        whole,
        notes,
    };
    if !counts {
        condense::merge(walker, &mut processes);
        return Ok(all.within(walker, processes, lines));
    }
    let (mut writer, used) = all.writer(walker, &processes);
    let counted = writer.counted(body, &called, &used);
    // Some stand in no process.
    let symbols = counted
        .iter()
        .map(|at| writer.walker.parameters[*at].symbol);
    let symbols: Vec<Symbol> = symbols.collect();
    writer.names.give(&writer.walker.names, symbols);
    // That shares are equal matters to times alone.
    let text = writer.declarations(&counted) + &writer.assumed(&used, &[]);
    let places = writer.places_of(&counted, 0);
    let counts = super::counts::counts(&mut writer, body, &called);
    Ok(writer.described_model((text + &counts, places), &used, &all.notes))
}

impl Writer<'_, '_> {
    /// True if a part is done by a team together.
    pub fn is_of_team(&self, part: &Part) -> bool {
        super::translate::is_of_team(part, &self.walker.instances)
    }

    /// The parameters that the model mentions, in the order in which they came up.
    pub fn used(
        &self,
        equations: &[Equation],
        resources: &BTreeSet<Resource>,
        whole: &[(Number, Number)],
    ) -> Vec<usize> {
        let mentioned = self.mentioned(equations, resources, whole);
        let parameters = self.walker.parameters.iter().enumerate();
        parameters
            .filter(|(_, p)| mentioned.contains(&p.symbol))
            .map(|(at, _)| at)
            .collect()
    }

    fn mentioned(
        &self,
        equations: &[Equation],
        resources: &BTreeSet<Resource>,
        whole: &[(Number, Number)],
    ) -> BTreeSet<Symbol> {
        let mut mentioned = BTreeSet::new();
        let mut mention = |symbol| {
            mentioned.insert(symbol);
        };
        equations
            .iter()
            .for_each(|(_, _, process)| symbols(process, &mut mention));
        resources
            .iter()
            .for_each(|resource| resource.symbols(&mut mention));
        for (number, divisor) in whole {
            number.symbols(&mut mention);
            divisor.symbols(&mut mention);
        }
        let ends = self.walker.assumptions.iter();
        let ends = ends.filter(|number| self.walker.ends.contains(number));
        ends.for_each(|number| number.symbols(&mut mention));
        self.with_bounds(&mut mentioned);
        mentioned
    }

    fn is_bound(&self, symbol: Symbol) -> bool {
        self.walker.names[symbol.0 as usize].role == Role::Bound
    }

    /// Assumptions of which every parameter is mentioned.
    fn assumptions(&self, used: &[usize]) -> Vec<&Number> {
        let known: BTreeSet<Symbol> = used
            .iter()
            .map(|at| self.walker.parameters[*at].symbol)
            .collect();
        let assumptions = self.walker.assumptions.iter();
        let mut list: Vec<&Number> = assumptions
            .filter(|number| {
                let mut all = true;
                number
                    .symbols(&mut |symbol| all &= known.contains(&symbol) || self.is_bound(symbol));
                all
            })
            .collect();
        list.dedup();
        list
    }

    pub fn name(
        &mut self,
        equations: &[Equation],
        resources: &BTreeSet<Resource>,
        whole: &[(Number, Number)],
    ) {
        let used = self.used(equations, resources, whole);
        let parameters: Vec<Symbol> = used
            .iter()
            .map(|at| self.walker.parameters[*at].symbol)
            .collect();
        self.names.give(&self.walker.names, parameters);
        let mut mentioned = self.mentioned(equations, resources, whole);
        mentioned.retain(|symbol| self.is_bound(*symbol));
        self.names.give(&self.walker.names, mentioned);
        let functions: Vec<Symbol> = equations
            .iter()
            .filter_map(|(at, _, _)| Some(self.walker.instances[(*at)?].name))
            .collect();
        self.names.give(&self.walker.names, functions);
        for (_, formals, process) in equations {
            let mut around = Vec::new();
            for formal in formals {
                self.names.bind(&self.walker.names, *formal, &around);
                around.push(*formal);
            }
            self.name_indices(process, &mut around);
        }
    }

    fn name_indices(&mut self, process: &Process, around: &mut Vec<Symbol>) {
        let ranges = match process {
            Process::Seq(range, _) | Process::Par(range, _) => std::slice::from_ref(range),
            Process::Pipeline(chain) => &chain.ranges[..],
            _ => &[],
        };
        for range in ranges {
            self.names.bind(&self.walker.names, range.index, around);
            around.push(range.index);
        }
        for part in inner(process) {
            self.name_indices(part, around);
        }
        around.truncate(around.len() - ranges.len());
    }

    pub fn described_model(
        &self,
        (text, places): (String, Vec<(usize, Place)>),
        used: &[usize],
        notes: &[String],
    ) -> Model {
        Model {
            model: text,
            parameters: self.described(used),
            opaque: self.opaque(used),
            notes: self.walker.notes.iter().chain(notes).cloned().collect(),
            places,
            has_pragmas: false,
        }
    }

    fn described(&self, used: &[usize]) -> Vec<Described> {
        let parameters = used.iter().map(|at| &self.walker.parameters[*at]);
        let blocks = self.walker.blocks.iter();
        let lines: BTreeMap<Symbol, &BTreeSet<usize>> =
            blocks.map(|block| (block.symbol, &block.lines)).collect();
        parameters
            .map(|parameter| Described {
                lines: lines
                    .get(&parameter.symbol)
                    .map(|lines| lines.iter().copied().collect())
                    .unwrap_or_default(),
                name: self.names.of(parameter.symbol),
                kind: parameter.kind,
                facts: parameter.facts.clone(),
                bounds: self.bounds(parameter),
                default: parameter.default.clone(),
                place: parameter.place.clone(),
                what: parameter.what.clone(),
                site: parameter.site.clone(),
            })
            .collect()
    }

    fn opaque(&self, used: &[usize]) -> Vec<NotUnderstood> {
        let is_used = |symbol: Symbol| {
            used.iter()
                .any(|at| self.walker.parameters[*at].symbol == symbol)
        };
        let opaque = self
            .walker
            .opaque
            .iter()
            .filter(|opaque| opaque.name.is_none_or(is_used));
        opaque
            .map(|opaque| NotUnderstood {
                name: opaque.name.map(|name| self.names.of(name)),
                reason: opaque.problem.message.clone(),
                place: opaque.problem.place.clone(),
                hint: opaque.problem.hint.clone(),
            })
            .collect()
    }

    /// The parameters that say how often something runs, or that this assumes something of.
    fn counted(&self, body: &Part, called: &[usize], used: &[usize]) -> Vec<usize> {
        let mut mentioned = BTreeSet::new();
        for number in self.assumptions(used) {
            number.symbols(&mut |symbol| {
                mentioned.insert(symbol);
            });
        }
        let bodies = called.iter().map(|at| &self.walker.instances[*at].body);
        for part in bodies.chain([body]) {
            part.symbols(&mut |symbol| {
                mentioned.insert(symbol);
            });
        }
        // All ranks are counted together.
        if let Some(world) = &self.walker.world {
            mentioned.extend(world.ranks.as_symbol());
        }
        self.with_bounds(&mut mentioned);
        let parameters = self.walker.parameters.iter().enumerate();
        let is_count = |kind| !matches!(kind, ParameterKind::Time | ParameterKind::Opaque);
        parameters
            .filter(|(_, p)| is_count(p.kind) && mentioned.contains(&p.symbol))
            .map(|(at, _)| at)
            .collect()
    }

    fn declarations(&self, used: &[usize]) -> String {
        let lines: Vec<(String, String)> = self.described(used).iter().map(declared).collect();
        let width = lines
            .iter()
            .map(|(line, _)| line.len())
            .max()
            .unwrap_or(0)
            .min(60);
        lines
            .into_iter()
            .map(|(line, comment)| format!("{line:width$}    % {comment}\n"))
            .collect()
    }

    /// What the model assumes of its parameters; `whole` are numbers with their divisors.
    fn assumed(&self, used: &[usize], whole: &[(Number, Number)]) -> String {
        let relations = whole.iter().map(|(number, divisor)| {
            format!("{} mod {} == 0", self.factor(number), self.factor(divisor))
        });
        let above = self
            .assumptions(used)
            .into_iter()
            .map(|number| format!("{} >= 0", self.side(number)));
        let mut assumed: Vec<String> = above.chain(relations).collect();
        assumed.dedup();
        if assumed.is_empty() {
            return String::new();
        }
        format!("assume {}\n", assumed.join(", "))
    }

    pub fn model(
        &self,
        equations: &[Equation],
        resources: &BTreeSet<Resource>,
        whole: &[(Number, Number)],
        notes: &[String],
    ) -> (String, Vec<(usize, Place)>) {
        let mut text = String::new();
        for note in self.walker.notes.iter().chain(notes) {
            text.push_str(&format!("% note: {note}\n"));
        }
        let used = self.used(equations, resources, whole);
        let mut places = self.places_of(&used, text.lines().count());
        text.push_str(&self.declarations(&used));
        text.push_str(&self.assumed(&used, whole));
        let families: BTreeSet<&str> = resources.iter().filter_map(Resource::family).collect();
        for family in families {
            text.push_str(&format!("resource {family}(p)\n"));
        }
        text.push_str(&self.resources(resources));
        for (at, formals, process) in equations {
            let name = match at {
                Some(at) => self.names.of(self.walker.instances[*at].name),
                None => "main".to_string(),
            };
            let formals: Vec<String> = formals
                .iter()
                .map(|formal| self.names.of(*formal))
                .collect();
            let formals = if formals.is_empty() {
                String::new()
            } else {
                format!("({})", formals.join(", "))
            };
            let place = at.map(|at| format!("    % {}", self.walker.instances[at].comment));
            let body = self.process(process, 0, resources);
            // The comment stands where the first line ends.
            let (first, rest) = body
                .split_once('\n')
                .map_or((body.as_str(), None), |(a, b)| (a, Some(b)));
            let place = place.unwrap_or_default();
            let entry = self.walker.whole.functions[self.walker.function].function;
            let known = match at {
                Some(at) => self.walker.instances[*at].place.clone(),
                None => Some(entry.place.clone()),
            };
            places.extend(known.map(|known| (1 + text.lines().count(), known)));
            text.push_str(&format!("\nprocess {name}{formals} = {first}{place}\n"));
            if let Some(rest) = rest {
                text.push_str(rest);
                text.push('\n');
            }
        }
        (text, places)
    }

    /// The places of declarations, the first of which is on this line.
    fn places_of(&self, declared: &[usize], first: usize) -> Vec<(usize, Place)> {
        let parameters = declared.iter().map(|at| &self.walker.parameters[*at]);
        let lines = (first..).zip(parameters);
        lines
            .filter_map(|(line, parameter)| Some((line, parameter.place.clone()?)))
            .collect()
    }

    /// Prints a process whose first line continues the current line.
    ///
    /// One long function, because it is a table with an arm for each kind of part.
    pub fn process(&self, process: &Process, depth: usize, all: &BTreeSet<Resource>) -> String {
        let margin = "    ".repeat(depth + 1);
        let row = |list: &[Process], separator: &str| {
            let parts: Vec<String> = list
                .iter()
                .map(|part| {
                    let text = self.process(part, depth + 1, all);
                    match (part, separator) {
                        (
                            Process::Delay(_)
                            | Process::Use(..)
                            | Process::Call(..)
                            | Process::Sequence(_)
                            | Process::Both(_),
                            _,
                        ) => {
                            format!("{margin}{text}")
                        }
                        (_, " ||") => format!("{margin}{{ {text} }}"),
                        _ => format!("{margin}{text}"),
                    }
                })
                .collect();
            format!(
                "{{\n{}\n{}}}",
                parts.join(&format!("{separator}\n")),
                "    ".repeat(depth)
            )
        };
        let body = |process: &Process| match process {
            Process::Sequence(_) | Process::Both(_) => self.process(process, depth, all),
            other => format!("\n{margin}{}", self.process(other, depth + 1, all)),
        };
        let braced = |process: &Process| match process {
            Process::Sequence(_) | Process::Both(_) | Process::Switch(_) => {
                self.process(process, depth, all)
            }
            Process::Delay(_) | Process::Use(..) | Process::Call(..) => {
                self.process(process, depth, all)
            }
            other => format!(
                "{{\n{margin}{}\n{}}}",
                self.process(other, depth + 1, all),
                "    ".repeat(depth)
            ),
        };
        match process {
            Process::Delay(time) => format!("delay({})", self.number(time)),
            Process::Use(resource, time) => {
                format!(
                    "use({}, {})",
                    self.resource(resource, all),
                    self.number(time)
                )
            }
            Process::Call(instance, arguments) => {
                let name = self.names.of(self.walker.instances[*instance].name);
                let arguments: Vec<String> = arguments.iter().map(|a| self.number(a)).collect();
                if arguments.is_empty() {
                    name
                } else {
                    format!("{name}({})", arguments.join(", "))
                }
            }
            Process::Pipeline(chain) => self.chain(chain, depth, all),
            Process::Sequence(list) if list.is_empty() => "delay(0)".to_string(),
            Process::Sequence(list) => row(list, " ;"),
            Process::Both(list) => row(list, " ||"),
            Process::Seq(range, inner) => format!("seq ({}) {}", self.range(range), body(inner)),
            Process::Par(range, inner) => format!("par ({}) {}", self.range(range), body(inner)),
            Process::If(condition, then, otherwise) => {
                let choice = format!("if ({}) {}", self.condition(condition), braced(then));
                match &**otherwise {
                    Process::Sequence(list) if list.is_empty() => choice,
                    otherwise => format!("{choice} else {}", braced(otherwise)),
                }
            }
            Process::Switch(cases) => {
                let cases: Vec<String> = cases
                    .iter()
                    .map(|(condition, part)| {
                        let text = match part {
                            Process::Sequence(list) if !list.is_empty() => {
                                self.process(part, depth + 1, all)
                            }
                            Process::Delay(_) | Process::Use(..) | Process::Call(..) => {
                                self.process(part, depth + 1, all)
                            }
                            Process::Sequence(_) => "delay(0)".to_string(),
                            other => format!("{{ {} }}", self.process(other, depth + 1, all)),
                        };
                        format!("{margin}{}: {text}", self.condition(condition))
                    })
                    .collect();
                format!(
                    "switch {{\n{}\n{}}}",
                    cases.join(",\n"),
                    "    ".repeat(depth)
                )
            }
        }
        .replace(" \n", "\n")
    }
}

/// The declaration of a parameter, and its comment.
fn declared(parameter: &Described) -> (String, String) {
    let name = &parameter.name;
    let mut line = match &parameter.facts {
        Declared::Law => format!("numeric {name}"),
        Declared::Number(facts) if facts.is_empty() => format!("numeric parameter {name}"),
        Declared::Number(facts) => format!("numeric parameter {name} : {facts}"),
    };
    if let Some(Bounds { least, most }) = &parameter.bounds {
        line = format!("numeric parameter {name} : integer >= {least} <= {most}");
    }
    if let Some(default) = &parameter.default {
        line.push_str(&format!(" = {default}"));
    }
    let comment = match &parameter.place {
        Some(place) => format!("{place}, {}", parameter.what),
        None => parameter.what.clone(),
    };
    (line, comment.replace(['\n', '\r'], " "))
}
