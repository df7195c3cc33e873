//! Line numbers of the entries of a JSON list.

use super::Source;
use crate::tasks::Place;

/// Lines of the entries of a list.
pub struct Places(Vec<u32>);

impl Places {
    /// Locates the list under these keys.
    pub fn of(source: Source, keys: &[&str]) -> Places {
        Places(lines(source.text, keys))
    }

    /// Location of an entry, numbered from 0.
    pub fn at(&self, entry: usize) -> Place {
        Place {
            line: self.0.get(entry).copied().unwrap_or(0),
            entry: u32::try_from(entry).ok(),
        }
    }
}

/// The lines, from 1 on, of the entries of all lists to which these keys lead, lists between them being passed through;
/// of a text that is known to be JSON.
fn lines(text: &str, keys: &[&str]) -> Vec<u32> {
    let mut lines = Vec::new();
    let mut line = 1;
    // For each enclosing object or list: whether it is a list, and the number of matching keys on the path to its
    // contents.
    let mut around: Vec<(bool, usize)> = Vec::new();
    // Number of matching keys on the path to the next value; larger than the number of keys if the value lies
    // elsewhere.
    let mut led = 0;
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'\n' => line += 1,
            b'{' | b'[' => {
                let in_list = around.last().is_some_and(|(is_list, _)| *is_list);
                if byte == b'{' && in_list && led == keys.len() {
                    lines.push(line);
                }
                around.push((byte == b'[', led));
            }
            b'}' | b']' => {
                around.pop();
                led = around.last().map_or(0, |(_, led)| *led);
            }
            b'"' => {
                let begin = at;
                while bytes.get(at).is_some_and(|&byte| byte != b'"') {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                let name = text.get(begin..at).unwrap_or_default();
                at += 1;
                let is_key = bytes[at.min(bytes.len())..]
                    .iter()
                    .find(|byte| !byte.is_ascii_whitespace())
                    == Some(&b':');
                if let (true, Some(&(false, outer))) = (is_key, around.last()) {
                    led = match keys.get(outer) {
                        Some(key) if *key == name => outer + 1,
                        _ => usize::MAX,
                    };
                }
            }
            _ => {}
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn entries_are_found_where_their_keys_lead() {
        let text = "{\"x\": [{\"a\": 1}],\n \"a\\\"\": {\"b\": [{}]}, \"a\" : {\"b\": 3, \"c\": [\n{\"a\": {\"c\": [{}]}},\n\
                    \n{\"c\": \"[{\"}, {}], \"d\": [{}]}, \"c\": [{}]}";
        assert_eq!(lines(text, &["a", "c"]), [3, 5, 5]);
        assert_eq!(lines(text, &["x"]), [1]);
        assert_eq!(lines(text, &["c"]), [5]);
        assert_eq!(lines("[\n{},\n[{}]]", &[]), [2, 3]);
        let nested = "{\"r\": [{\"s\": [{\"t\": [{},\n{}]},\n{\"t\": [{}]}]}, {\"s\": [{\"t\": [{}]}]}]}\n{\"r\": [{\"s\": [{\"t\": [{}]}]}]}";
        assert_eq!(lines(nested, &["r", "s", "t"]), [1, 2, 3, 3, 4]);
    }
}
