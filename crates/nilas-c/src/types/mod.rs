//! types
/// The data model.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum DataModel {
    /// 32
    Ilp32,
    /// 64
    Lp64,
}
