use super::*;

#[test]
fn repeated_runs_are_one_point() {
    let text =
        "# measured on two cores\nn, P, rep, time[ms]\n10,1,1,3\n20,1,1,8\n10,1,2,1\n10,1,3,2\n";
    let table = Table::read("t.csv", text, &Reading::default()).expect("it is a table");
    assert_eq!(table.parameters, ["n", "P"]);
    assert_eq!(table.points.len(), 2);
    assert_eq!(table.points[0].values, [10.0, 1.0]);
    assert!((table.points[0].median() - 2e-3).abs() < 1e-15);
    assert!((table.points[0].quantile(0.25) - 1.5e-3).abs() < 1e-15);
    assert_eq!(table.points[1].line, 4);
    assert_eq!(table.ranges(), [[10.0, 20.0], [1.0, 1.0]]);
}

#[test]
fn regions_are_chosen() {
    let text = "n,region,time\n1,a,1\n1,b,2\n";
    let error = Table::read("t.csv", text, &Reading::default()).expect_err("two regions");
    assert!(error.to_string().contains("`a`, `b`"), "{error}");
    let region = |name| {
        let reading = Reading {
            region: Some(name),
            ..Reading::default()
        };
        Table::read("t.csv", text, &reading)
    };
    let table = region("b").expect("one region");
    assert_eq!(table.points[0].times, [2.0]);
    assert!(region("c").is_err());
}

#[test]
fn what_is_wrong_with_a_table_is_told_with_its_line() {
    let error = |text: &str| {
        Table::read("t.csv", text, &Reading::default())
            .expect_err("wrong")
            .to_string()
    };
    assert_eq!(
        error("n,time\n1,2\nx,3\n"),
        "t.csv:3: column `n`: `x` is not a finite number"
    );
    assert_eq!(
        error("n,time\n1,0\n"),
        "t.csv:2: a measured time is not above 0"
    );
    assert!(error("n,time\n1,1e300\n").contains("t.csv:2: a measured time is not between"));
    assert!(error("n,m\n1,2\n").contains("no column of times"));
    assert!(error("n,time,time[ms]\n1,2,3\n").contains("several columns"));
    assert!(error("n,n,time\n1,2,3\n").contains("twice"));
    assert!(error("n,time[h]\n1,2\n").contains("units are"));
    assert!(error("n,time\n").contains("no row"));
    assert!(error("n,time\n1,nan\n").contains("not a finite number"));
    assert!(error("").contains("no column"));
    assert!(error("n,time\n1,2,3\n").contains("t.csv"));
}

#[test]
fn interruptions_are_left_out() {
    let mut point = Point {
        values: Vec::new(),
        labels: Vec::new(),
        times: vec![1.0, 1.01, 1.02, 1.03, 9.0],
        line: 1,
    };
    assert_eq!(point.without_interruptions(), 1);
    assert_eq!(point.times.len(), 4);
}

#[test]
fn the_forms_of_extra_p_are_one_table() {
    let texts = [
        "PARAMETER p n\nPOINTS (1 10) (2 10)\n\nREGION main->sort\nMETRIC time\nDATA 4 5\nDATA 2 3\n\
         METRIC visits\nDATA 7\nDATA 7\n",
        "# made by hand\nPARAMETER p\nPARAMETER n\nPOINTS ((1) (10)) ((2) (10))\nREGION main->sort\n\
         DATA 4 5\nDATA 2 3\n",
        r#"{"parameters": ["p", "n"], "measurements": {"main->sort": {"time":
           [{"point": [1, 10], "values": [4, 5]}, {"point": [2, 10], "values": [2, 3]}]}}}"#,
        r#"{"parameters": [{"id": 3, "name": "p"}, {"id": 4, "name": "n"}], "metrics": [{"id": 1, "name": "time"}],
           "callpaths": [{"id": 9, "name": "main->sort"}], "coordinates": [
           {"id": 1, "parameter_value_pairs": [{"parameter_id": 4, "parameter_value": 10},
            {"parameter_id": 3, "parameter_value": 1}]},
           {"id": 2, "parameter_value_pairs": [{"parameter_id": 3, "parameter_value": 2},
            {"parameter_id": 4, "parameter_value": 10}]}],
           "measurements": [{"id": 1, "callpath_id": 9, "coordinate_id": 1, "metric_id": 1, "value": 4},
           {"id": 2, "callpath_id": 9, "coordinate_id": 1, "metric_id": 1, "value": 5},
           {"id": 3, "callpath_id": 9, "coordinate_id": 2, "metric_id": 1, "value": 2},
           {"id": 4, "callpath_id": 9, "coordinate_id": 2, "metric_id": 1, "value": 3}]}"#,
        "{\"params\": {\"p\": 1, \"n\": 10}, \"value\": [4, 5], \"callpath\": \"main->sort\"}\n\
         {\"params\": {\"p\": 2, \"n\": 10}, \"value\": 2, \"callpath\": \"main->sort\", \"metric\": \"time\"}\n\
         {\"params\": {\"p\": 2, \"n\": 10}, \"value\": 3, \"callpath\": \"main->sort\"}\n",
    ];
    let names = [("p", "P"), ("main->sort", "sort")].map(|(a, b)| (a.into(), b.into()));
    let reading = Reading {
        region: Some("sort"),
        names: &names,
        ..Reading::default()
    };
    for text in texts {
        let table = Table::read("t", text, &reading).expect("it is a table");
        let at = |name: &str| table.parameters.iter().position(|p| p == name);
        let (p, n) = (at("P").expect("a column"), at("n").expect("a column"));
        let points = table
            .points
            .iter()
            .map(|t| (t.values[p], t.values[n], t.times.clone()));
        let points: Vec<_> = points.collect();
        let wanted = [(1.0, 10.0, vec![4.0, 5.0]), (2.0, 10.0, vec![2.0, 3.0])];
        assert_eq!(points, wanted, "{text}");
    }
}

#[test]
fn what_is_wrong_with_measurements_is_told() {
    let error = |text: &str| {
        let table = Table::read("t", text, &Reading::default());
        table.expect_err("wrong").to_string()
    };
    let start = "PARAMETER p\nPOINTS 1 2\nREGION a\n";
    assert!(error(&format!("{start}DATA 1\n")).contains("1 lines DATA for 2 points"));
    assert!(error(&format!("{start}DATA 1\nDATA 1\nDATA 1\n")).contains("t:6: more lines DATA"));
    assert!(error(&format!("{start}DATA 1\nDATA x\n")).contains("t:5: `x` is not a number"));
    assert!(
        error(&format!("{start}DATA 1\nDATA 0\n")).contains("t:5: a measured time is not above 0")
    );
    assert!(
        error(&format!("{start}METRIC visits\nDATA 1\nDATA 1\n")).contains("--map 'visits=time'")
    );
    assert!(error("PARAMETER p n\nPOINTS (1 2) (3)\n").contains("t:2: these are not points"));
    assert!(error("PARAMETER p\nPOINTS (1))\n").contains("not points"));
    assert!(error("PARAMETER p\nNOISE 1\n").contains("`NOISE` is not one of"));
    assert!(error("{\"a\": 1}").contains("neither a profile nor measurements"));
    assert!(error("{\"params\": 1}").contains("t:1: this is not a measurement"));
    assert!(
        error("{\"params\": {\"a\": 1}, \"value\": 1}\n{\"params\": {\"b\": 1}, \"value\": 1}")
            .contains("`b` here, and `a` before")
    );
    let missing = Table::read(
        "t",
        &format!("{start}DATA 1\nDATA 1\n"),
        &Reading {
            names: &[("q".into(), "P".into())],
            ..Reading::default()
        },
    );
    assert!(
        missing
            .expect_err("wrong")
            .to_string()
            .contains("no parameter, region or metric `q`")
    );
}
