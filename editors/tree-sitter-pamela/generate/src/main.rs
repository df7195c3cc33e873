use tree_sitter_generate::{OptLevel, generate_parser_in_directory};

/// Version of the tables that a parser has.
const TABLES: usize = 15;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut notes = Vec::new();
    let [none, grammar] = [None::<&str>; 2];
    generate_parser_in_directory(".", none, grammar, TABLES, None, Some("node"), true, OptLevel::default(), &mut notes)?;
    for note in &notes {
        eprintln!("{note}");
    }
    Ok(())
}
