//! The layout of models.

use pamela::layout::{format, format_range};
use pamela::syntax::{NoFiles, parse_model, tokens};

use super::{models, share};

fn texts_of_tokens(text: &str) -> Vec<&str> {
    tokens(text).map(|token| token.text(text)).collect()
}

/// The blocks of the documents that may be models.
fn documents() -> Vec<String> {
    let mut blocks = Vec::new();
    let mut pending = vec![super::root().join("docs"), super::root().join("README.md")];
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(path).expect("a directory");
            pending.extend(entries.map(|entry| entry.expect("an entry").path()));
        } else if path.extension().is_some_and(|own| own == "md") {
            let text = std::fs::read_to_string(path).expect("a document");
            let mut block = String::new();
            for line in text.lines() {
                match line.strip_prefix("    ") {
                    Some(code) => block.extend([code, "\n"]),
                    None if line.is_empty() => block.push('\n'),
                    None => blocks.push(std::mem::take(&mut block)),
                }
            }
        }
    }
    blocks.retain(|block| block.contains("numeric ") || block.contains("process "));
    blocks
}

#[test]
fn the_layout_of_all_models_keeps_tokens_and_is_final() {
    let files = models(&["corpus", "std", "cases", "studies", "tests", "docs"]);
    let files = files.into_iter().map(|(_, text)| text);
    let mut count = 0;
    for text in files.chain(documents()) {
        let laid_out = format(&text);
        assert_eq!(
            texts_of_tokens(&text),
            texts_of_tokens(&laid_out),
            "{laid_out}"
        );
        assert_eq!(format(&laid_out), laid_out);
        count += 1;
    }
    assert!(count > 600, "only {count} models");
}

/// Text that is wrong somewhere: each item that can be read is laid out, the others stay.
#[test]
fn the_layout_of_wrong_models_keeps_tokens_and_is_final() {
    for (_, text) in models(&["corpus"]).into_iter().step_by(9) {
        for token in share(tokens(&text), 25) {
            for put in ["", "(", "}", "\"", " % ", "2x", "\u{e9}", "\n\n\n"] {
                let wrong = [&text[..token.start], put, &text[token.end..]].concat();
                let laid_out = format(&wrong);
                assert_eq!(
                    texts_of_tokens(&wrong),
                    texts_of_tokens(&laid_out),
                    "{wrong}"
                );
                assert_eq!(format(&laid_out), laid_out, "{wrong}");
            }
        }
    }
}

#[test]
fn printed_models_are_laid_out() {
    let mut count = 0;
    for (path, text) in models(&["corpus", "std"]) {
        let Ok((model, _)) = parse_model(&path.to_string_lossy(), &text, &NoFiles) else {
            continue;
        };
        let printed = model.to_string();
        assert_eq!(format(&printed), printed, "{}", path.display());
        // The layout changes nothing that the parser sees.
        let laid_out = format(&text);
        let (again, _) = parse_model("laid out", &laid_out, &NoFiles).expect("a model");
        assert_eq!(again.to_string(), printed);
        count += 1;
    }
    assert!(count > 400, "only {count} models");
}

#[test]
fn signs_have_the_spaces_that_they_need() {
    let cases = [
        ("numeric x=-a^ 2-b*-c", "numeric x = -a^2 - b * -c"),
        (
            "numeric x = if(a<0)-1 else - 2",
            "numeric x = if (a < 0) -1 else -2",
        ),
        (
            "numeric x = (a) - 1/2 * a/b",
            "numeric x = (a) - 1/2 * a / b",
        ),
        (
            "numeric x = max (a,b) + max(i=1,P){i}",
            "numeric x = max(a, b) + max (i = 1, P) { i }",
        ),
        (
            "numeric parameter t:>=0 [ us ]",
            "numeric parameter t : >= 0 [us]",
        ),
        (
            "numeric f(x:[GB / s],y=2 [s ^ -1])=x",
            "numeric f(x : [GB/s], y = 2 [s^-1]) = x",
        ),
        (
            "numeric x = switch{a>1:[1,2],1:[3,4]}",
            "numeric x = switch { a > 1: [1, 2], 1: [3, 4] }",
        ),
        (
            "process main = par(p=1,P)use (s,! a)",
            "process main = par (p = 1, P) use(s, !a)",
        ),
        ("unit[x]=4[KiB]", "unit [x] = 4 [KiB]"),
        ("assert(a<b)when - a<1", "assert (a < b) when -a < 1"),
        (
            "import \"x\" as y with(P=4)",
            "import \"x\" as y with (P = 4)",
        ),
        (
            "numeric a = 1 numeric b = 2",
            "numeric a = 1\nnumeric b = 2",
        ),
        (
            "process m = seq (i=1,N)\n  {\n a;\n\n\n b\n }",
            "process m = seq (i = 1, N)\n    {\n        a;\n\n        b\n    }",
        ),
        (
            "numeric x = f(\n a,\n b\n )",
            "numeric x = f(\n    a,\n    b\n)",
        ),
        (
            "\n\n% a\n\n\n\n% b\n  numeric x = 1   % c\n",
            "% a\n\n% b\nnumeric x = 1     % c",
        ),
        (
            "process main = graph{a(i=1,n):delay(t)after a(i-1)for(j=1,i)if(i>1)}",
            "process main = graph { a(i = 1, n): delay(t) after a(i - 1) for (j = 1, i) if (i > 1) }",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(format(text), format!("{expected}\n"));
    }
    assert_eq!(format(""), "");
    assert_eq!(format("\u{feff}% a"), "% a\n");
}

#[test]
fn the_page_on_editors_shows_the_layout() {
    let page = std::fs::read_to_string(super::root().join("docs/how-to/editors.md"));
    let page = page.expect("the page on editors");
    let (_, rest) = page.split_once("For the model\n\n").expect("a model");
    let (model, rest) = rest.split_once("\n\nthe layout is\n\n").expect("a layout");
    let (expected, _) = rest.split_once("\n\n- Line breaks").expect("rules");
    let code = |block: &str| {
        let lines = block
            .lines()
            .map(|line| line.strip_prefix("    ").expect("indented"));
        lines.flat_map(|line| [line, "\n"]).collect::<String>()
    };
    assert_eq!(format(&code(model)), code(expected));
}

#[test]
fn a_range_is_laid_out_by_whole_items() {
    let text = "numeric a=1\nnumeric b=\n 2\nnumeric c=3\n";
    let place = text.find('2').expect("there");
    let (bytes, new) = format_range(text, place..place).expect("an item");
    assert_eq!(&text[bytes], "numeric b=\n 2");
    assert_eq!(new, "numeric b =\n    2");
    assert_eq!(format_range("% a\n", 0..1), None);
}
