//! The command `nilas`.

/// Where there is no memory, that is told instead of aborting.
#[global_allocator]
static ALLOCATOR: nilas_memory::LastResort = nilas_memory::LastResort;

fn main() -> ! {
    nilas::command(nilas::Registry::default())
}
