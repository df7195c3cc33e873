//! The values of one batch of points.

use super::*;

/// The registers of one thread.
pub(super) struct Thread {
    plan: Scratch,
    before: Vec<Scratch>,
    after: Vec<Scratch>,
}

/// The points of a batch that are kept, with their values.
pub(in crate::sweep) struct BatchResult {
    /// The numbers of the points.
    pub(in crate::sweep) points: Vec<u64>,
    /// The parameters in the order of the table.
    pub(in crate::sweep) parameters: Vec<Input>,
    pub(in crate::sweep) columns: Columns,
}

/// Leaves only these points of a batch.
fn keep(kept: &[usize], points: &mut Vec<u64>, parameters: &mut [Input]) {
    if kept.len() == points.len() {
        return;
    }
    *points = kept.iter().map(|&lane| points[lane]).collect();
    for input in parameters {
        if let Input::Column(column, start) = input {
            let places = kept.iter().map(|&lane| *start + lane);
            *input = Input::Column(Arc::new(column.gather(places)), 0);
        }
    }
}

impl Sweep {
    pub(super) fn thread(&self) -> Thread {
        let scratch = |filters: &[Filter]| filters.iter().map(Filter::scratch).collect();
        Thread {
            plan: self.plan.scratch(),
            before: scratch(&self.before),
            after: scratch(&self.after),
        }
    }

    /// The values of a batch at the points that are kept.
    pub(super) fn batch(&self, start: u64, length: usize, thread: &mut Thread) -> BatchResult {
        let given = self.grid.batch(start, length);
        let own = |name: &str| {
            given
                .iter()
                .find(|(own, _)| *own == name)
                .map(|(_, i)| i.clone())
        };
        let table = |name: &String| own(name).unwrap_or(Input::Default);
        let mut parameters: Vec<Input> = self.given.iter().map(table).collect();
        let mut points: Vec<u64> = (start..start + length as u64).collect();
        for (filter, scratch) in self.before.iter().zip(&mut thread.before) {
            let named = |name: &str| self.parameter(name, &parameters);
            let kept = filter.kept(&named, points.len(), scratch);
            keep(&kept, &mut points, &mut parameters);
        }
        let inputs = self.plan.parameters().iter();
        let inputs: Vec<Input> = inputs
            .map(|name| self.parameter(name, &parameters).unwrap_or(Input::Default))
            .collect();
        let mut columns = self.plan.run(&inputs, points.len(), &mut thread.plan);
        for (filter, scratch) in self.after.iter().zip(&mut thread.after) {
            let names = self.plan.value_names();
            let values = columns.values();
            let named = |name: &str| {
                let value = || {
                    let place = names.iter().position(|own| own == name)?;
                    let column = Column::new(values[place].to_vec());
                    Some(Input::Column(Arc::new(column), 0))
                };
                self.parameter(name, &parameters).or_else(value)
            };
            let kept = filter.kept(&named, points.len(), scratch);
            keep(&kept, &mut points, &mut parameters);
            columns = columns.gather(&kept);
        }
        parameters.truncate(self.parameters.len());
        BatchResult {
            points,
            parameters,
            columns,
        }
    }

    /// Of `inputs` in the order of what is given, or else by default.
    fn parameter(&self, name: &str, inputs: &[Input]) -> Option<Input> {
        match self.given.iter().position(|own| own == name) {
            Some(place) => Some(inputs[place].clone()),
            None => self.plan.default(name).map(Input::Constant),
        }
    }
}
