//! Nested slices of tracks.

/// Slices whose begins differ by a smaller share than this count as touching.
pub const ROUNDING: f64 = 1e-12;

/// A slice of a track.
pub struct Slice {
    pub name: Box<str>,
    pub category: Box<str>,
    pub track: usize,
    pub begin: f64,
    pub end: f64,
    /// Index of the event.
    pub entry: usize,
    pub is_leaf: bool,
}

impl Slice {
    /// True if a slice that does not begin before this one lies in it.
    fn holds(&self, inner: &Slice) -> bool {
        let slack = ROUNDING * inner.end.abs().max(self.begin.abs());
        self.track == inner.track && inner.begin < self.end - slack && inner.end <= self.end + slack
    }
}

/// A task: a slice, or a part of a slice between its inner slices.
#[derive(Clone, Copy)]
pub struct Stretch {
    pub slice: usize,
    pub begin: f64,
    pub end: f64,
}

/// Finds the slices that contain others.
pub fn nest(slices: &mut [Slice]) {
    let order = |a: &Slice, b: &Slice| {
        let by_begin = a.track.cmp(&b.track).then(a.begin.total_cmp(&b.begin));
        by_begin
            .then(b.end.total_cmp(&a.end))
            .then(a.entry.cmp(&b.entry))
    };
    slices.sort_by(order);
    let mut around: Vec<usize> = Vec::new();
    for place in 0..slices.len() {
        let inner = &slices[place];
        while around
            .pop_if(|&mut outer| !slices[outer].holds(inner))
            .is_some()
        {}
        if let Some(&outer) = around.last() {
            slices[outer].is_leaf = false;
        }
        around.push(place);
    }
}

/// The parts of nested slices outside their inner slices. The slices are in nesting order.
pub fn stretches(slices: &[Slice], chosen: &[usize]) -> Vec<Stretch> {
    let mut tasks = Vec::new();
    // The slices around, each with the time up to which it is told.
    let mut around: Vec<(usize, f64)> = Vec::new();
    let mut close = |(slice, since): (usize, f64), until: f64| {
        let Slice { begin, end, .. } = slices[slice];
        // A slice that nothing lies in is a task, however short it is.
        let is_whole = (since, until) == (begin, end);
        let told = is_whole || until - since > ROUNDING * until.abs();
        if told {
            tasks.push(Stretch {
                slice,
                begin: since,
                end: until,
            });
        }
    };
    for &place in chosen {
        let inner = &slices[place];
        while let Some(&(outer, since)) = around.last() {
            if slices[outer].holds(inner) {
                break;
            }
            around.pop();
            close((outer, since), slices[outer].end.max(since));
        }
        if let Some((outer, since)) = around.last_mut() {
            close((*outer, *since), inner.begin.max(*since));
            *since = inner.end.max(*since);
        }
        around.push((place, inner.begin));
    }
    while let Some((slice, since)) = around.pop() {
        close((slice, since), slices[slice].end.max(since));
    }
    tasks
}
