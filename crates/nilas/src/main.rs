//! The command `nilas`.

fn main() -> ! {
    nilas::command(nilas::Registry::default())
}
