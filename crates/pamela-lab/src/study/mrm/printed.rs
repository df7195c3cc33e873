//! The printed Table 6.2, beside values computed now.

use super::{Settings, bound, mean_cycle, predicted};
use crate::diagnostic::Error;
use crate::law::Carrier;
use crate::pipeline::Model;
use crate::study::report::{Table, Unit};

const CYCLES: f64 = 1e6;

/// Clients, and the rows `T^l`, `T_MVA` and `T_MOM`.
const PRINTED: [(f64, [f64; 3]); 9] = [
    (1.0, [10.10, 10.10, 10.10]),
    (2.0, [10.10, 10.10, 10.11]),
    (5.0, [10.10, 10.11, 10.12]),
    (10.0, [10.10, 10.12, 10.12]),
    (20.0, [10.10, 10.12, 10.12]),
    (50.0, [10.10, 10.19, 10.12]),
    (100.0, [10.10, 10.82, 10.13]),
    (200.0, [20.0, 20.0, 20.0]),
    (500.0, [50.0, 50.0, 50.0]),
];

/// The rows of the paper with their methods: the bound, mean value analysis, and makespan/N by fitted moments.
pub fn table(model: &Model) -> Result<Table, Error> {
    let columns = ["T^l", "T_MVA", "T_MOM"];
    let mut table = Table::new("think 10, service 0.1, N = 1000000", "P", &columns);
    for (clients, printed) in PRINTED {
        let makespan = |carrier: Carrier| {
            let settings = Settings {
                clients,
                cycles: CYCLES,
                carrier,
            };
            Ok::<f64, Error>(predicted(model, &settings)?.mean / CYCLES)
        };
        let computed = [bound(clients), mean_cycle(clients), makespan(Carrier::Gld)?];
        let by_grid = makespan(Carrier::Grid)?;
        let point = clients.to_string();
        let mut add = |method: &str, values: [Option<f64>; 3]| {
            table.add(&point, method, Unit::Value, values.to_vec());
        };
        add("Table 6.2", printed.map(Some));
        add("gld", computed.map(Some));
        add("grid", [None, None, Some(by_grid)]);
    }
    Ok(table)
}
