//! Balanced sums and products of a stream.

/// Combined terms in blocks of 1, 2, 4, ... terms, longest first.
///
/// Neighbours are combined first, then their results, and so on. Numbers and vectors therefore grow as late as
/// possible, and short terms are combined with short ones. Holds at most one block of each size.
#[derive(Debug)]
pub struct Halves<T> {
    blocks: Vec<(u32, T)>,
}

impl<T> Default for Halves<T> {
    fn default() -> Halves<T> {
        Halves { blocks: Vec::new() }
    }
}

impl<T> Halves<T> {
    /// Adds the next term.
    ///
    /// # Errors
    /// Fails if `combine` fails.
    pub fn push<E>(
        &mut self,
        term: T,
        mut combine: impl FnMut(T, T) -> Result<T, E>,
    ) -> Result<(), E> {
        let (mut size, mut term) = (0, term);
        while let Some((_, before)) = self.blocks.pop_if(|(other, _)| *other == size) {
            term = combine(before, term)?;
            size += 1;
        }
        self.blocks.push((size, term));
        Ok(())
    }

    /// Combines all terms; `None` if there are no terms.
    ///
    /// # Errors
    /// Fails if `combine` fails.
    pub fn finish<E>(self, mut combine: impl FnMut(T, T) -> Result<T, E>) -> Result<Option<T>, E> {
        let mut blocks = self.blocks.into_iter().rev().map(|(_, term)| term);
        let Some(last) = blocks.next() else {
            return Ok(None);
        };
        blocks
            .try_fold(last, |after, before| combine(before, after))
            .map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_combined_in_their_order_and_evenly() {
        for count in 0..40 {
            let mut halves = Halves::default();
            // Each term is its text with the depth of the tree of combinations above it.
            let combine = |(left, a): (String, u32), (right, b): (String, u32)| {
                Ok::<_, ()>((left + &right, a.max(b) + 1))
            };
            for number in 0..count {
                halves.push((format!("{number},"), 0), combine).unwrap();
            }
            let expected: String = (0..count).map(|number| format!("{number},")).collect();
            match halves.finish(combine).unwrap() {
                None => assert_eq!(count, 0),
                Some((text, depth)) => {
                    assert_eq!(text, expected);
                    assert!(depth <= 6, "{count} terms: {depth}");
                }
            }
        }
    }
}
