//! Known values of members of structures: `m->rows` is `rows` of the object that m points to.
//!
//! An object is a variable (`grid`, or `point@3:120` for a local one), or the unknown target of a pointer, named
//! after its first use (`*m@0:17`). Two pointers may hold the same address: after a write to a member through one of
//! them, this member is unknown for every object that a pointer may lead to.

use std::collections::{BTreeMap, BTreeSet};

use super::number::Number;

/// The way in which a member got an unknown value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Write {
    /// Written once, at this byte: the value is a parameter.
    Once(usize),
    /// Written more than once, or conditionally.
    Unknown,
}

/// The members of all objects.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Objects {
    /// By the path of the member: `*m@0:17.rows`.
    values: BTreeMap<String, Option<Number>>,
    /// By what was written: a class of objects with the name of a member, `*rows`, or a whole object, `#point@3:120`.
    writes: BTreeMap<String, Write>,
}

/// Contents of a path.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    Value(Option<Number>),
    /// The initial value, or the values written at these places.
    Parameter(String),
}

/// A class of objects that the same writes may reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Pointed,
    Global,
    Local,
}

const CLASSES: [Class; 3] = [Class::Pointed, Class::Global, Class::Local];

impl Class {
    fn of(path: &str) -> Class {
        match path {
            _ if path.starts_with('*') || path.contains('>') => Class::Pointed,
            _ if root(path).contains('@') => Class::Local,
            _ => Class::Global,
        }
    }

    fn key(self, member: &str) -> String {
        let sign = match self {
            Class::Pointed => '*',
            Class::Global => '.',
            Class::Local => '@',
        };
        format!("{sign}{member}")
    }
}

/// The object of a path.
pub fn root(path: &str) -> &str {
    &path[..path.find(['.', '>', '[']).unwrap_or(path.len())]
}

/// The names of the members on a path.
fn members(path: &str) -> impl Iterator<Item = &str> {
    let parts = path.split('.').skip(1);
    parts.map(|part| part.split(['>', '[']).next().unwrap_or(part))
}

/// `m_rows`
pub fn spelled(path: &str) -> String {
    words(path).join("_")
}

/// The names in a path: of an object, and of members of it.
pub fn words(path: &str) -> Vec<String> {
    let object = root(path);
    let rest = &path[object.len()..];
    let name = object.trim_start_matches('*').split('@').next();
    let whole = format!("{}{rest}", name.unwrap_or_default());
    let words = whole.split(|c: char| !c.is_alphanumeric() && c != '_');
    let words = words.filter(|word| !word.is_empty());
    words.map(String::from).collect()
}

impl Objects {
    pub fn get(&self, path: &str) -> Content {
        if let Some(value) = self.values.get(path) {
            return Content::Value(value.clone());
        }
        let class = Class::of(path);
        let mut keys: BTreeSet<String> = members(path).map(|member| class.key(member)).collect();
        keys.insert(class.key(""));
        keys.insert(format!("#{}", root(path)));
        let mut since = String::new();
        for key in keys {
            match self.writes.get(&key) {
                Some(Write::Unknown) => return Content::Value(None),
                Some(Write::Once(at)) => since.push_str(&format!(" {at}")),
                None => {}
            }
        }
        Content::Parameter(since)
    }

    /// Stores a value in an object; other objects reached by pointers may be the same one.
    pub fn set(&mut self, path: &str, member: &str, value: Option<Number>, write: &Write) {
        match Class::of(path) {
            Class::Pointed => {
                self.write(
                    &[Class::Pointed, Class::Global, Class::Local],
                    member,
                    write,
                );
            }
            Class::Global | Class::Local => self.write(&[Class::Pointed], member, write),
        }
        let inside = format!("{path}.");
        self.values.retain(|known, _| !known.starts_with(&inside));
        self.values.insert(path.to_string(), value);
    }

    /// Sets the value of a path, without effect on other paths.
    pub fn store(&mut self, path: &str, value: Option<Number>) {
        self.values.insert(path.to_string(), value);
    }

    /// Forgets a member of all objects.
    pub fn write_member(&mut self, member: &str, write: &Write) {
        self.write(&CLASSES, member, write);
    }

    fn write(&mut self, classes: &[Class], member: &str, write: &Write) {
        for class in classes {
            self.values.retain(|path, _| {
                Class::of(path) != *class
                    || !(member.is_empty() || members(path).any(|m| m == member))
            });
            self.mark(class.key(member), write);
        }
    }

    /// Forgets all members of one object, and of objects that may be the same.
    pub fn write_object(&mut self, path: &str, write: &Write) {
        if Class::of(path) == Class::Pointed {
            return self.write_member("", write);
        }
        let object = root(path).to_string();
        self.values.retain(|known, _| root(known) != object);
        self.mark(format!("#{object}"), write);
        self.write(&[Class::Pointed], "", write);
    }

    /// Declares a variable whose members have unknown values.
    pub fn initialize(&mut self, object: &str, write: &Write) {
        self.declare(object);
        self.mark(format!("#{object}"), write);
    }

    /// Declares a variable as a copy of another one.
    pub fn copy(&mut self, from: &str, to: &str) {
        let inside = |path: &String| Some(format!("{to}{}", path.strip_prefix(from)?));
        let values = self.values.iter();
        let copied: Vec<(String, Option<Number>)> = values
            .filter(|(path, _)| path[from.len().min(path.len())..].starts_with('.'))
            .filter_map(|(path, value)| Some((inside(path)?, value.clone())))
            .collect();
        self.values.extend(copied);
    }

    /// True if a member of the object is known: what a function returns is, where its members are followed.
    pub fn holds(&self, object: &str) -> bool {
        self.values.keys().any(|path| root(path) == object)
    }

    /// Declares the object of a variable.
    pub fn declare(&mut self, object: &str) {
        self.values.retain(|known, _| root(known) != object);
        self.writes.remove(&format!("#{object}"));
    }

    fn mark(&mut self, key: String, write: &Write) {
        let entry = self.writes.entry(key).or_insert_with(|| write.clone());
        // Earlier writes are forgotten; this write is kept.
        *entry = write.clone();
    }

    /// Names of the values that differ from those of other objects, as marks of [`super::assigned`].
    pub fn differing(&self, other: &Objects) -> Vec<String> {
        let mut names = BTreeSet::new();
        let mut paths: BTreeSet<&String> = self.values.keys().collect();
        paths.extend(other.values.keys());
        for path in paths {
            if self.get(path) != other.get(path) {
                names.insert(format!("->={path}"));
            }
        }
        let mut keys: BTreeSet<&String> = self.writes.keys().collect();
        keys.extend(other.writes.keys());
        for key in keys {
            if self.writes.get(key) != other.writes.get(key) {
                names.insert(match key.strip_prefix('#') {
                    Some(object) => format!("->#{object}"),
                    None => format!("->{}", &key[1..]),
                });
            }
        }
        names.into_iter().collect()
    }

    /// Forgets the paths that a written name stands for: `->rows`, `->` for all members, `->#point@3:120`,
    /// `->=*m@0:17.rows`.
    pub fn forget(&mut self, name: &str, write: &Write) {
        let Some(name) = name.strip_prefix("->") else {
            return;
        };
        if let Some(object) = name.strip_prefix('#') {
            self.write_object(object, write);
        } else if let Some(path) = name.strip_prefix('=') {
            self.store(path, None);
        } else {
            self.write_member(name, write);
        }
    }

    /// The members with known values, by path.
    pub fn known(&self) -> impl Iterator<Item = (&String, &Number)> {
        let values = self.values.iter();
        values.filter_map(|(path, number)| Some((path, number.as_ref()?)))
    }

    /// The values of members, to be replaced.
    pub fn numbers(&mut self) -> impl Iterator<Item = (&String, &mut Option<Number>)> {
        self.values.iter_mut()
    }
}
