//! Not yet written here: the texts of the catalogue are used.

use super::Native;
pub(super) fn native(_: &str) -> Option<Native> {
    None
}
