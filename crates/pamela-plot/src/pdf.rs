//! PDF: one page of the width of a column of a paper, 85 mm. Its font is part of the file, as publishers ask.

use std::collections::{BTreeMap, BTreeSet};

use miniz_oxide::deflate::compress_to_vec_zlib;
use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::writers::ExtGraphicsState;
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, Str};

use crate::font;
use crate::sheet::{Colour, Item, Sheet, Text};

/// Points of 85 mm.
const WIDTH: f32 = 240.945;
const LEVEL: u8 = 8;
const FONT: Name = Name(b"F0");
const FONT_NAME: Name = Name(b"Arimo");
const INFO: SystemInfo = SystemInfo {
    registry: Str(b"Adobe"),
    ordering: Str(b"Identity"),
    supplement: 0,
};

pub(crate) fn pdf(sheet: &Sheet) -> Vec<u8> {
    let mut next = 0;
    let [
        catalogue,
        pages,
        page,
        contents,
        font,
        descendant,
        descriptor,
        file,
        unicode,
    ] = std::array::from_fn(|_| {
        next += 1;
        Ref::new(next)
    });
    let scale = WIDTH / sheet.width as f32;
    let height = sheet.height as f32 * scale;
    let mut pdf = Pdf::new();
    pdf.catalog(catalogue).pages(pages);
    pdf.pages(pages).kids([page]).count(1);
    let mut opacities: BTreeSet<u8> = sheet.items.iter().filter_map(percent).collect();
    opacities.insert(100);
    let mut own = pdf.page(page);
    own.parent(pages)
        .media_box(Rect::new(0.0, 0.0, WIDTH, height))
        .contents(contents);
    let mut resources = own.resources();
    resources.fonts().pair(FONT, font);
    let mut states = resources.ext_g_states();
    for &opacity in &opacities {
        let name = state_name(opacity);
        let state = states.insert(Name(name.as_bytes()));
        let mut state = state.start::<ExtGraphicsState>();
        state.non_stroking_alpha(f32::from(opacity) / 100.0);
    }
    states.finish();
    resources.finish();
    own.finish();

    let mut content = Content::new();
    content.transform([scale, 0.0, 0.0, -scale, 0.0, height]);
    for item in &sheet.items {
        draw(&mut content, item);
    }
    let content = compress_to_vec_zlib(&content.finish(), LEVEL);
    pdf.stream(contents, &content).filter(Filter::FlateDecode);

    add_font(&mut pdf, [font, descendant, descriptor, file, unicode]);
    pdf.cmap(unicode, &to_unicode(sheet)).finish();
    pdf.finish()
}

/// The font of the program, as a whole.
fn add_font(pdf: &mut Pdf, [font, descendant, descriptor, file, unicode]: [Ref; 5]) {
    pdf.type0_font(font)
        .base_font(FONT_NAME)
        .encoding_predefined(Name(b"Identity-H"))
        .descendant_font(descendant)
        .to_unicode(unicode);
    let unit = f32::from(font::FACE.units_per_em());
    let thousandth = |length: i16| f32::from(length) * 1000.0 / unit;
    let mut cid = pdf.cid_font(descendant);
    cid.subtype(CidFontType::Type2)
        .base_font(FONT_NAME)
        .system_info(INFO)
        .font_descriptor(descriptor)
        .default_width(0.0)
        .cid_to_gid_map_predefined(Name(b"Identity"));
    let count = font::FACE.number_of_glyphs();
    let widths = (0..count).map(|id| font::FACE.glyph_hor_advance(ttf_parser::GlyphId(id)));
    let widths = widths.map(|width| f32::from(width.unwrap_or(0)) * 1000.0 / unit);
    cid.widths().consecutive(0, widths);
    cid.finish();
    let bounds = font::FACE.global_bounding_box();
    let cap = font::FACE.capital_height().unwrap_or(1409);
    pdf.font_descriptor(descriptor)
        .name(FONT_NAME)
        .flags(FontFlags::NON_SYMBOLIC)
        .bbox(Rect::new(
            thousandth(bounds.x_min),
            thousandth(bounds.y_min),
            thousandth(bounds.x_max),
            thousandth(bounds.y_max),
        ))
        .italic_angle(0.0)
        .ascent(thousandth(font::FACE.ascender()))
        .descent(thousandth(font::FACE.descender()))
        .cap_height(thousandth(cap))
        .stem_v(80.0)
        .font_file2(file);
    let compressed = compress_to_vec_zlib(font::FILE, LEVEL);
    let mut stream = pdf.stream(file, &compressed);
    stream.filter(Filter::FlateDecode);
    stream.pair(
        Name(b"Length1"),
        i32::try_from(font::FILE.len()).unwrap_or(0),
    );
    stream.finish();
}

/// Maps glyphs to characters, so the text can be searched and copied.
fn to_unicode(sheet: &Sheet) -> Vec<u8> {
    let mut characters: BTreeMap<u16, char> = BTreeMap::new();
    for item in &sheet.items {
        if let Item::Text(text) = item {
            let glyphs = font::glyphs(&text.text).0;
            characters.extend(glyphs.into_iter().map(|g| (g.id.0, g.character)));
        }
    }
    let mut map = UnicodeCmap::new(Name(b"Unicode"), INFO);
    for (glyph, character) in characters {
        map.pair(glyph, character);
    }
    map.finish().to_vec()
}

fn percent(item: &Item) -> Option<u8> {
    match item {
        Item::Area { opacity, .. } => Some((opacity * 100.0).round() as u8),
        _ => None,
    }
}

fn state_name(opacity: u8) -> String {
    format!("O{opacity}")
}

fn draw(content: &mut Content, item: &Item) {
    match item {
        Item::Line {
            points,
            colour,
            width,
            dashes,
        } => {
            let [red, green, blue] = shares(*colour);
            content
                .set_stroke_rgb(red, green, blue)
                .set_line_width(*width as f32)
                .set_line_join(pdf_writer::types::LineJoinStyle::RoundJoin)
                .set_dash_pattern(dashes.iter().map(|d| *d as f32), 0.0);
            path(content, points);
            content.stroke();
        }
        Item::Area { points, colour, .. } => {
            let [red, green, blue] = shares(*colour);
            content
                .set_parameters(Name(state_name(percent(item).unwrap_or(100)).as_bytes()))
                .set_fill_rgb(red, green, blue);
            path(content, points);
            content.close_path().fill_nonzero();
        }
        Item::Dot { at, radius, colour } => {
            let [red, green, blue] = shares(*colour);
            let (x, y, r) = (at.0 as f32, at.1 as f32, *radius as f32);
            // Distance of the control points of a quarter circle.
            let k = 0.5523 * r;
            opaque(content).set_fill_rgb(red, green, blue);
            content
                .move_to(x + r, y)
                .cubic_to(x + r, y + k, x + k, y + r, x, y + r)
                .cubic_to(x - k, y + r, x - r, y + k, x - r, y)
                .cubic_to(x - r, y - k, x - k, y - r, x, y - r)
                .cubic_to(x + k, y - r, x + r, y - k, x + r, y)
                .fill_nonzero();
        }
        Item::Text(text) => words(content, text),
    }
}

/// Makes the following fills opaque. Text and dots come after areas, whose opacity would otherwise remain.
fn opaque(content: &mut Content) -> &mut Content {
    content.set_parameters(Name(state_name(100).as_bytes()))
}

fn words(content: &mut Content, text: &Text) {
    let [red, green, blue] = shares(text.colour);
    opaque(content).set_fill_rgb(red, green, blue);
    let glyphs = font::glyphs(&text.text).0;
    let start = text.start();
    for run in glyphs.chunk_by(|a, b| a.raised == b.raised) {
        let (size, rise) = if run[0].raised {
            font::RAISED
        } else {
            (1.0, 0.0)
        };
        let x = start + run[0].offset * text.size;
        let y = text.at.1 - rise * text.size;
        let codes: Vec<u8> = run.iter().flat_map(|g| g.id.0.to_be_bytes()).collect();
        content
            .begin_text()
            .set_font(FONT, (size * text.size) as f32)
            .set_text_matrix([1.0, 0.0, 0.0, -1.0, x as f32, y as f32])
            .show(Str(&codes));
        content.end_text();
    }
}

fn path(content: &mut Content, points: &[(f64, f64)]) {
    for (position, &(x, y)) in points.iter().enumerate() {
        match position {
            0 => content.move_to(x as f32, y as f32),
            _ => content.line_to(x as f32, y as f32),
        };
    }
}

fn shares(colour: Colour) -> [f32; 3] {
    colour.map(|part| f32::from(part) / 255.0)
}
