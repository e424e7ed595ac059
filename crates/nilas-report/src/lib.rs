//! Reports of verdicts and evidence: text and JSON.
