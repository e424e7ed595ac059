//! Which task runs when, and where its row goes.
//!
//! One or several settings run over the same tasks. They take turns task by task, and each task begins with
//! another one of them: whatever else keeps the machine busy then hits all alike.

use super::index::Task;
use super::process::Limits;
use super::progress::{self, Progress};
use super::results::{Row, Writer};
use super::task::{self, Checker};
use super::warden::Warden;
use crate::cli::BenchArgs;
use nilas_check::Refusal;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};

/// A checker under one setting, with the file its rows go to.
pub(crate) struct Lane {
    /// Empty where there is only one.
    pub(crate) name: String,
    pub(crate) checker: Checker,
    pub(crate) settings: Json,
    pub(crate) writer: Option<Writer>,
}

/// One run that is still to come: a task and the number of its lane.
type Turn<'t> = (&'t Task, usize);

/// The turns of all lanes over all tasks.
fn turns<'t>(tasks: &[&'t Task], lanes: usize) -> Vec<Turn<'t>> {
    let of_task = |(number, &task): (usize, &&'t Task)| {
        (0..lanes).map(move |lane| (task, (lane + number) % lanes)).collect::<Vec<_>>()
    };
    tasks.iter().enumerate().flat_map(of_task).collect()
}

/// Runs the tasks that have no row yet. The rows of all tasks, in their order, lane by lane.
pub(crate) fn run_all(
    args: &BenchArgs,
    lanes: &mut [Lane],
    limits: Limits,
    folder: &Path,
    tasks: &[&Task],
) -> Result<Vec<Vec<Row>>, Refusal> {
    let mut rows: Vec<BTreeMap<String, Row>> = lanes.iter().map(|lane| kept(lane, tasks)).collect();
    let there: Vec<Row> = rows.iter().flat_map(BTreeMap::values).cloned().collect();
    let mut waiting = turns(tasks, lanes.len());
    waiting.retain(|(task, lane)| !rows[*lane].contains_key(&task.path));
    let mut progress =
        Progress::new(tasks.len() * lanes.len(), &there, args.quiet || args.json, args.verbose);
    let warden = Warden::start()
        .map_err(|error| Refusal::new(format!("nilas: no shell to watch over processes: `sh`: {error}")))?;
    let checkers: Vec<Checker> = lanes.iter().map(|lane| lane.checker.clone()).collect();
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    let mut trouble = None;
    std::thread::scope(|scope| {
        for _ in 0..args.jobs.min(waiting.len()) {
            let (sender, next, waiting, warden) = (sender.clone(), &next, &waiting, &warden);
            let checkers = &checkers;
            scope.spawn(move || {
                while let Some(&(task, lane)) = waiting.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let row = Row::new(task, task::run(&checkers[lane], task, folder, limits, warden));
                    if sender.send((lane, row)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        loop {
            match receiver.recv_timeout(progress::REDRAW) {
                Ok((number, row)) => {
                    let lane = &mut lanes[number];
                    progress.add(&row, &lane.name);
                    if let Some(Err(why)) = lane.writer.as_mut().map(|writer| writer.add(row.clone())) {
                        // No more tasks: what they give could not be kept.
                        next.store(waiting.len(), Ordering::Relaxed);
                        trouble.get_or_insert(why);
                    }
                    rows[number].insert(row.path.clone(), row);
                }
                Err(RecvTimeoutError::Timeout) => progress.draw(),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
    });
    progress.clear();
    if let Some(why) = trouble {
        return Err(why);
    }
    let in_order = |mut rows: BTreeMap<String, Row>| {
        tasks.iter().filter_map(|task| rows.remove(&task.path)).collect::<Vec<_>>()
    };
    Ok(rows.into_iter().map(in_order).collect())
}

/// The rows of a lane that its file holds already.
fn kept(lane: &Lane, tasks: &[&Task]) -> BTreeMap<String, Row> {
    let Some(writer) = &lane.writer else { return BTreeMap::new() };
    let known: BTreeMap<&str, &Row> = writer.results.rows.iter().map(|row| (&*row.path, row)).collect();
    // What the index says today counts.
    let kept = tasks.iter().filter_map(|task| Some(Row::new(task, known.get(&*task.path)?.outcome.clone())));
    kept.map(|row| (row.path.clone(), row)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::index::Index;
    use super::*;

    #[test]
    fn lanes_take_turns_and_each_begins_once() {
        let index = Index::parse("path,expected\na,true\nb,true\nc,true\n", "i.csv");
        let tasks = index.map(|index| index.tasks).unwrap_or_default();
        let tasks: Vec<&Task> = tasks.iter().collect();
        let told: Vec<String> =
            turns(&tasks, 3).iter().map(|(task, lane)| format!("{}{lane}", task.path)).collect();
        assert_eq!(told.join(" "), "a0 a1 a2 b1 b2 b0 c2 c0 c1");
        assert_eq!(turns(&tasks, 1).len(), 3);
    }
}
