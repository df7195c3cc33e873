//! Evaluates one batch of points.

use super::*;
use crate::sweep::points::Points;

/// Buffers that a thread reuses from batch to batch.
pub(super) struct Thread {
    plan: Workspace,
    before: Vec<Workspace>,
    after: Vec<Workspace>,
}

/// The kept points of a batch, with their values.
pub(in crate::sweep) struct BatchResult {
    /// Numbers of the points.
    pub(in crate::sweep) points: Points,
    /// The parameters in the order of the table.
    pub(in crate::sweep) parameters: Vec<Input>,
    pub(in crate::sweep) columns: Columns,
}

/// Like [`BatchResult`], with the number columns only.
pub(in crate::sweep) struct ValueBatch {
    /// Numbers of the points.
    pub(in crate::sweep) points: Points,
    /// The parameters in the order of the table.
    pub(in crate::sweep) parameters: Vec<Input>,
    /// The values, in the order of [`Plan::value_names`].
    pub(in crate::sweep) values: Vec<Vec<f64>>,
}

/// Leaves only these points of a batch.
fn keep(kept: &[usize], points: &mut Points, parameters: &mut [Input]) {
    if kept.len() == points.len() {
        return;
    }
    *points = points.listed(kept);
    for input in parameters {
        if let Input::Column(column, start) = input {
            let places = kept.iter().map(|&lane| *start + lane);
            *input = Input::Column(Arc::new(column.gather(places)), 0);
        }
    }
}

impl Sweep {
    pub(super) fn thread(&self) -> Thread {
        Thread {
            plan: self.plan.workspace(),
            before: self.of_parameters().map(Filter::workspace).collect(),
            after: self.after.iter().map(Filter::workspace).collect(),
        }
    }

    /// The conditions on parameters alone.
    fn of_parameters(&self) -> impl Iterator<Item = &Filter> {
        self.assumed.iter().chain(&self.before)
    }

    /// Evaluates the kept points of a batch.
    pub(super) fn batch(&self, start: u64, length: usize, thread: &mut Thread) -> BatchResult {
        let (mut points, mut parameters) = self.points(start, length, &mut thread.before);
        let inputs = self.inputs(&parameters);
        let mut columns = self.plan.run(&inputs, points.len(), &mut thread.plan);
        for (filter, workspace) in self.after.iter().zip(&mut thread.after) {
            let kept = self.kept(filter, &parameters, &columns.values(), workspace);
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

    /// Evaluates the number columns at the kept points of a batch.
    pub(super) fn values_of(&self, start: u64, length: usize, thread: &mut Thread) -> ValueBatch {
        let (mut points, mut parameters) = self.points(start, length, &mut thread.before);
        let inputs = self.inputs(&parameters);
        let mut values = vec![vec![0.0; points.len()]; self.columns];
        let mut views: Vec<&mut [f64]> = values.iter_mut().map(Vec::as_mut_slice).collect();
        self.plan
            .put_all(&inputs, points.len(), &mut thread.plan, &mut views);
        for (filter, workspace) in self.after.iter().zip(&mut thread.after) {
            let own: Vec<&[f64]> = values.iter().map(Vec::as_slice).collect();
            let kept = self.kept(filter, &parameters, &own, workspace);
            keep(&kept, &mut points, &mut parameters);
            for column in &mut values {
                *column = kept.iter().map(|&lane| column[lane]).collect();
            }
        }
        parameters.truncate(self.parameters.len());
        ValueBatch {
            points,
            parameters,
            values,
        }
    }

    /// The points of a batch that satisfy the conditions on parameters, with the parameters in the given order.
    fn points(
        &self,
        start: u64,
        length: usize,
        workspaces: &mut [Workspace],
    ) -> (Points, Vec<Input>) {
        let given = self.grid.batch(start, length);
        let own = |name: &String| given.iter().find(|(own, _)| own == name);
        let table = |name: &String| own(name).map_or(Input::Default, |(_, input)| input.clone());
        let mut parameters: Vec<Input> = self.given.iter().map(table).collect();
        let mut points = Points::From(start, length);
        for (filter, workspace) in self.of_parameters().zip(workspaces) {
            let named = |name: &str| self.parameter(name, &parameters);
            let kept = filter.kept(&named, points.len(), workspace);
            keep(&kept, &mut points, &mut parameters);
        }
        (points, parameters)
    }

    /// The inputs of the plan.
    fn inputs(&self, parameters: &[Input]) -> Vec<Input> {
        let input = |name: &String| self.parameter(name, parameters).unwrap_or(Input::Default);
        self.plan.parameters().iter().map(input).collect()
    }

    /// The points of a batch that a condition on values keeps.
    fn kept(
        &self,
        filter: &Filter,
        parameters: &[Input],
        values: &[&[f64]],
        workspace: &mut Workspace,
    ) -> Vec<usize> {
        let names = self.plan.value_names();
        let length = values.first().map_or(0, |column| column.len());
        let named = |name: &str| {
            let value = || {
                let place = names.iter().position(|own| own == name)?;
                let column = Column::of_results(values[place].to_vec());
                Some(Input::Column(Arc::new(column), 0))
            };
            self.parameter(name, parameters).or_else(value)
        };
        filter.kept(&named, length, workspace)
    }

    /// The input of a parameter: given, or its default.
    fn parameter(&self, name: &str, inputs: &[Input]) -> Option<Input> {
        match self.given.iter().position(|own| own == name) {
            Some(place) => Some(inputs[place].clone()),
            None => self.plan.default(name).map(Input::Constant),
        }
    }
}
