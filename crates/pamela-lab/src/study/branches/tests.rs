use super::*;

fn value_at(table: &Table, point: &str, method: &str, column: usize) -> f64 {
    let value = table
        .values(point, method)
        .and_then(|values| values[column]);
    value.unwrap_or_else(|| panic!("no {method} of {point}:\n{table}"))
}

/// Tables 4.1 to 4.3 print 16 and 14 of 30 trials, a share of 0.5, and moments of lengths with one digit.
#[test]
fn patterns_have_the_moments_that_are_printed() {
    let table = patterns::table();
    assert_eq!(value_at(&table, "1", "counted", 1), 16.0);
    assert_eq!(value_at(&table, "2", "counted", 1), 14.0);
    for column in 2..7 {
        let [counted, printed] =
            ["counted", "printed"].map(|method| value_at(&table, "both", method, column));
        assert!((counted - printed).abs() < 0.05, "{table}");
    }
}

/// Table 4.4 to its two digits and the noise of 300 runs, of which a variance has a standard error of 8 %: all of
/// quicksort, whose text the thesis prints, and vector scaling.
#[test]
fn branches_of_quicksort_have_the_variances_that_are_printed() {
    let table = programs::table(1800);
    for point in [
        "VS",
        "Quicksort b1",
        "Quicksort b3",
        "Quicksort b4",
        "Quicksort b5",
        "Quicksort b6",
        "Quicksort b7",
    ] {
        let [counted, printed] =
            ["counted", "Table 4.4"].map(|method| value_at(&table, point, method, 0));
        assert!(
            (counted / printed - 1.0).abs() < 0.33,
            "{point}: {counted}, printed {printed}\n{table}"
        );
        let [counted, printed] =
            ["counted", "Table 4.4"].map(|method| value_at(&table, point, method, 2));
        assert!(
            (counted / printed - 1.0).abs() < 0.1,
            "{point}: {counted}, printed {printed}\n{table}"
        );
    }
    // All trials of a branch that holds once for each split are as many as there are splits.
    let splits = value_at(&table, "Quicksort b6", "counted", 0);
    assert!(
        (splits - value_at(&table, "Quicksort b1", "counted", 0)).abs() < 1e-9,
        "{table}"
    );
}

/// Of few runs, which tell nothing of variances: the command's report is made of all its parts.
#[test]
fn a_report_has_all_tables_and_a_drawing_of_each_figure() {
    let report = branches(60);
    assert_eq!(report.tables.len(), 5);
    for table in &report.tables {
        assert!(!table.rows.is_empty(), "{table}");
    }
    assert_eq!(report.drawings.len(), 3);
}
