//! Temporary.
fn main() {
    let mut ok = 0;
    for path in std::env::args().skip(1) {
        let text = std::fs::read(&path).unwrap();
        let mut sources = nilas_c::source::SourceMap::new();
        let file = sources.add(&path, text.clone());
        let mut symbols = nilas_c::lex::Symbols::new();
        let mut d = Vec::new();
        let lexed = nilas_c::lex::lex(file, &text, &mut symbols, &mut d);
        nilas_c::parse::parse(lexed, &mut symbols, Default::default(), &mut d);
        if d.is_empty() {
            ok += 1
        } else {
            println!("{}", d[0].render(&sources));
        }
    }
    println!("{ok}");
}
