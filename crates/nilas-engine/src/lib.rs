//! The engines of Nilas, and what they share.
//!
//! An [`Engine`] takes an automaton, a budget and an observer, and returns an [`Outcome`]. It knows nothing
//! of C, prints nothing, and its word is not trusted: [`verify()`] maps its evidence back to the automaton as
//! lowered and has it checked.

mod accounts;
mod analyses;
mod bmc;
mod checks;
mod classes;
mod edges;
mod engine;
mod euf;
mod exchange;
mod ic3;
mod ic3cfa;
mod ic3ia;
mod icp;
mod itp;
mod k_induction;
mod outcome;
mod pdr;
mod predabs;
mod run;
mod sinks;
mod states;
mod summaries;
mod tree;
mod unrolling;
mod verify;
mod verify_system;

// The rooms' files are known by their own names everywhere.
use accounts::{observer, phase, processor, recorder};
use analyses::{atoms, landmarks, relevant};
use edges::{execution, lift, path, project, transition};

pub use bmc::{Settings as BmcSettings, bmc};
pub use checks::Checks;
pub use engine::registry::{Entry, PRESETS, Preset, Registry, Role};
pub use engine::{
    Context, Engine, EngineRef, Kind, Own, Preparations, Prepared, Question, Setting, Settings, Wants,
};
pub use euf::{Refinement as EufRefinement, Settings as EufSettings, euf};
pub use exchange::{Exchange, Fact, Port, Steps};
pub use ic3::{Settings as Ic3Settings, SystemOutcome, ic3, ic3_system};
pub use ic3cfa::{Settings as Ic3CfaSettings, Technique, Techniques, ic3cfa};
pub use ic3ia::{Settings as Ic3IaSettings, ic3ia};
pub use icp::{Dropping as IcpDropping, IcpIc3Configuration, IcpIc3Settings, icp_ic3};
pub use itp::{Settings as ItpSettings, itp};
pub use k_induction::{Settings as KInductionSettings, k_induction};
pub use observer::{Counters, FramesAt, Observer, Progress, Silent, Work};
pub use outcome::{Outcome, Proof, Unknown};
pub use predabs::{Abstraction, Refinement, Settings as PredAbsSettings, pred_abs};
pub use processor::processor_time;
pub use recorder::{Journal, Tally};
pub use tree::{Settings as TreeSettings, Variant as TreeVariant, tree};
pub use verify::{Budgets, Examined, Report, Verdict, examine, examine_with_calls, verify, verify_within};
pub use verify_system::{SystemVerdict, examine_system, verify_system};
