//! `nilas bench` on a small index: verdicts are compared with what is known, limits hold, runs go on where
//! they were stopped.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder of its own for a test, removed when it passes.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("nilas-bench-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, text: &str) -> String {
        std::fs::write(self.0.join(name), text).unwrap();
        self.file(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }
}

fn examples() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").to_str().unwrap().to_owned()
}

fn bench(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_nilas")).arg("bench").args(args).output().unwrap()
}

/// What a run that must succeed printed.
fn said(args: &[&str]) -> String {
    let output = bench(args);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let text = String::from_utf8(output.stdout).unwrap();
    // A wrong verdict shows in the exit code, too.
    let code = if text.contains("\nwrong: ") { 6 } else { 0 };
    assert_eq!(output.status.code(), Some(code), "{args:?}: {stderr}");
    text
}

/// Chosen columns of a results file.
fn columns(file: &str, names: &[&str]) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(file).unwrap();
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let places: Vec<usize> =
        names.iter().map(|name| header.iter().position(|column| column == name).unwrap()).collect();
    lines
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            places.iter().map(|&place| fields[place].to_owned()).collect()
        })
        .collect()
}

const INDEX: &str = "path,expected,property,data_model,set,tier\n\
                     fig2.cfa,true,unreach-call,ILP32,good,T1\n\
                     p_false.cfa,false,unreach-call,ILP32,good,T1\n\
                     p_true.cfa,false,unreach-call,ILP32,bad,T1\n\
                     lock_bug.cfa,true,,,bad,T2\n\
                     prime.cfa,true,,,hard,T2\n\
                     missing.cfa,true,,,hard,T2\n\
                     wide.cfa,true,termination,,hard,T2\n";

#[test]
fn verdicts_are_compared_with_what_is_known() {
    let folder = Folder::new("verdicts");
    let index = folder.write("index.csv", INDEX);
    let (out, html) = (folder.file("results.csv"), folder.file("report.html"));
    let dir = examples();
    let args = [&*index, "--dir", &dir, "--timeout", "2", "--jobs", "2", "--out", &out, "--html", &html];
    let text = said(&args);
    let rows = columns(&out, &["path", "set", "expected", "verdict", "reason", "correct"]);
    let expected = [
        ["fig2.cfa", "good", "safe", "safe", "", "correct"],
        ["p_false.cfa", "good", "unsafe", "unsafe", "", "correct"],
        ["p_true.cfa", "bad", "unsafe", "safe", "", "wrong"],
        ["lock_bug.cfa", "bad", "safe", "unsafe", "", "wrong"],
        ["prime.cfa", "hard", "safe", "unknown", "time limit", ""],
        ["missing.cfa", "hard", "safe", "refused", "refused", ""],
    ];
    assert_eq!(rows, expected);
    let total: Vec<&str> =
        text.lines().find(|line| line.starts_with("total")).unwrap().split_whitespace().collect();
    // Tasks, solved, safe, unsafe, time limit, refused, failed, wrong; the score is last.
    assert_eq!(total[1..9], ["6", "2", "1", "1", "1", "1", "0", "2"], "{text}");
    assert_eq!(total.last(), Some(&"-45"), "{text}");
    assert!(text.contains("wrong: p_true.cfa: safe, but known to be unsafe"), "{text}");
    assert!(text.contains("than unreach-call: 1\n"), "{text}");
    let html = std::fs::read_to_string(html).unwrap();
    assert!(html.contains("<svg") && html.contains("p_true.cfa"), "{html}");
}

/// However long it takes by the clock, a task ends when its processor time is used up, and is told so.
#[test]
fn processor_time_ends_a_task() {
    let folder = Folder::new("processor");
    let index = folder.write("index.csv", INDEX);
    let (out, dir) = (folder.file("results.csv"), examples());
    let limits = ["--timeout", "1", "--wall-timeout", "1000"];
    let text =
        said(&[&[&*index, "--dir", &dir, "--filter", "path=prime", "--out", &out], &limits[..]].concat());
    assert_eq!(columns(&out, &["verdict", "reason", "detail"]), [["unknown", "time limit", ""]]);
    assert!(!text.contains("clock"), "{text}");
}

#[test]
fn a_run_goes_on_where_it_was_stopped() {
    let folder = Folder::new("resume");
    let index = folder.write("index.csv", INDEX);
    let out = folder.file("results.csv");
    let dir = examples();
    let args = |more: &[&'static str]| -> Vec<String> {
        let fixed = [&*index, "--dir", &dir, "--timeout", "20", "--out", &out];
        fixed.iter().chain(more).map(|&word| word.to_owned()).collect()
    };
    let run = |more: &[&'static str]| {
        let args = args(more);
        said(&args.iter().map(String::as_str).collect::<Vec<_>>())
    };
    // The second task first, then the whole set around it: the file follows the index.
    run(&["--filter", "path=p_false"]);
    let first = std::fs::read_to_string(&out).unwrap();
    assert_eq!(columns(&out, &["path"]), [["p_false.cfa"]]);
    // A mark in the row that was there shows that it is kept; a row that was cut off runs again.
    let marked = first.replace(
        "p_false.cfa,good,T1,unsafe,unsafe,,correct,",
        "p_false.cfa,good,T1,unsafe,unsafe,,correct,7",
    );
    assert_ne!(marked, first);
    std::fs::write(&out, format!("{marked}fig2.cfa,good,T1,sa")).unwrap();
    let text = run(&["--filter", "set=good"]);
    assert_eq!(columns(&out, &["path", "verdict"]), [["fig2.cfa", "safe"], ["p_false.cfa", "unsafe"]]);
    assert!(columns(&out, &["cpu_s"])[1][0].starts_with('7'), "{text}");
    assert!(text.lines().any(|line| line.starts_with("total      2       2")), "{text}");
    // Other settings do not mix.
    let args = args(&["--engine", "bmc"]);
    let output = bench(&args.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("other settings"));
}

#[test]
fn other_checkers_are_measured_and_stopped() {
    let folder = Folder::new("tool");
    let index = folder.write("index.csv", INDEX);
    let dir = examples();
    let out = folder.file("tool.csv");
    let common = [&*index, "--dir", &dir, "--filter", "set=good", "--timeout", "0.3"];
    let run = |tool: &str, more: &[&str]| {
        let _ = std::fs::remove_file(&out);
        said(&[&common, &["--out", &out, "--tool", tool][..], more].concat());
        columns(&out, &["verdict", "reason"])
    };
    // By the clock: it sleeps, in a process that the shell has started.
    assert_eq!(run("sleep 100; echo {file}", &[]), [["unknown", "time limit"], ["unknown", "time limit"]]);
    // By processor time.
    assert_eq!(
        run("while :; do :; done; echo {file}", &[]),
        [["unknown", "time limit"], ["unknown", "time limit"]]
    );
    // By memory, which not the shell but a child of it holds, since nobody reads what it has to say.
    let hoard = "head -c 100000000 /dev/zero | tail -c 100000000 | { sleep 100; wc -c; }; {file}";
    let hoarded = run(hoard, &["--memory-limit", "50", "--wall-timeout", "20", "--shard", "1/2"]);
    assert_eq!(hoarded, [["unknown", "memory limit"]]);
    // Words, exit codes, and neither.
    assert_eq!(run("grep -q false {file} && echo FALSE || echo TRUE", &[])[0], ["safe", ""]);
    assert_eq!(run("exit 3; {file}", &["--tool-unsafe", "exit:3"]), [["unsafe", ""], ["unsafe", ""]]);
    assert_eq!(run("echo {file}", &[]), [["unknown", "other"], ["unknown", "other"]]);
    assert_eq!(run("kill -s ABRT $$; {file}", &[]), [["failed", "crash"], ["failed", "crash"]]);
}

/// Whether a process is there, and not only waiting to be reaped.
fn runs(process: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
}

#[test]
fn a_runner_that_is_killed_leaves_valid_results_and_no_process() {
    let folder = Folder::new("killed");
    let index = folder.write("index.csv", INDEX);
    let (out, note) = (folder.file("results.csv"), folder.file("process"));
    // The first task is done, the second one never ends.
    let tool = format!("case {{file}} in *fig2*) echo TRUE;; *) echo $$ >{note}; sleep 1000; true;; esac");
    let dir = examples();
    let mut runner = Command::new(env!("CARGO_BIN_EXE_nilas"))
        .args(["bench", &index, "--dir", &dir, "--filter", "set=good", "--out", &out, "--tool", &tool])
        .spawn()
        .unwrap();
    let patience = || (0..200).map(|_| std::thread::sleep(std::time::Duration::from_millis(50)));
    let process =
        patience().find_map(|()| std::fs::read_to_string(&note).ok().filter(|text| text.ends_with('\n')));
    let process = process.unwrap().trim().to_owned();
    assert!(runs(&process));
    runner.kill().unwrap();
    runner.wait().unwrap();
    assert!(patience().any(|()| !runs(&process)), "process {process} still runs");
    assert_eq!(columns(&out, &["path", "verdict"]), [["fig2.cfa", "safe"]]);
}

#[test]
fn two_runs_are_compared() {
    let folder = Folder::new("compare");
    let index = folder.write("index.csv", INDEX);
    let dir = examples();
    let files = [folder.file("a.csv"), folder.file("b.csv")];
    for (file, answer) in files.iter().zip(["echo TRUE {file}", "echo FALSE {file}"]) {
        said(&[&index, "--dir", &dir, "--filter", "set=good", "--out", file, "--tool", answer]);
    }
    let html = folder.file("compare.html");
    let text = said(&["--compare", &files[0], &files[1], "--html", &html]);
    assert!(text.contains("only A: fig2.cfa: safe"), "{text}");
    assert!(text.contains("only B: p_false.cfa: unsafe"), "{text}");
    assert!(text.contains("contradiction: fig2.cfa: A says safe, B says unsafe"), "{text}");
    // Nobody tells solver calls: a plot of times, and the solved tasks.
    assert_eq!(std::fs::read_to_string(html).unwrap().matches("<svg").count(), 2);
}

#[test]
fn settings_run_over_the_same_tasks() {
    let folder = Folder::new("grid");
    let index = folder.write("index.csv", INDEX);
    let grid = folder
        .write("grid.txt", "# two settings\n\nbmc: --engine bmc\nplain: --engine ic3cfa --techniques none\n");
    let (out, html) = (folder.file("results.csv"), folder.file("grid.html"));
    let dir = examples();
    let run = |tasks: &str| {
        let common = [&*index, "--dir", &dir, "--timeout", "3", "--out", &out, "--html", &html];
        let settings = ["--filter", tasks, "--grid", &grid, "--setting", "all:"];
        said(&[&common[..], &settings[..]].concat())
    };
    run("path=p_false");
    // Rows that are there already are kept, in each file.
    let file = |name: &str| folder.file(&format!("results.{name}.csv"));
    let first = std::fs::read_to_string(file("plain")).unwrap();
    let marked = first.replace("unsafe,unsafe,,correct,", "unsafe,unsafe,,correct,7");
    assert_ne!(marked, first);
    std::fs::write(file("plain"), marked).unwrap();
    let text = run("set=good");
    for name in ["bmc", "plain", "all"] {
        assert_eq!(columns(&file(name), &["path"]), [["fig2.cfa"], ["p_false.cfa"]], "{name}");
    }
    assert!(columns(&file("plain"), &["cpu_s"])[1][0].starts_with('7'), "{text}");
    assert_eq!(columns(&file("plain"), &["verdict", "engine"])[0], ["safe", "ic3cfa"]);
    // IC3CFA tells its calls, frames and lemmas.
    let counts = columns(&file("plain"), &["solver_calls", "frames", "lemmas"]);
    assert!(counts[0].iter().all(|count| count.parse::<u64>().is_ok_and(|count| count > 0)), "{counts:?}");
    let line = |name: &str| text.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
    // BMC unrolls the loop of the one for ever, or until its limit; its bug it finds.
    assert!(line("plain").contains(" 2 / 2 ") && line("all").contains(" 2 / 2 "), "{text}");
    assert!(line("bmc").contains(" 1 / 2 "), "{text}");
    assert!(text.contains("against all"), "{text}");
    assert!(std::fs::read_to_string(html).unwrap().contains("--techniques none"), "{text}");
}

#[test]
fn a_published_table_is_compared() {
    let folder = Folder::new("published");
    let index = folder.write("index.csv", INDEX);
    let dir = examples();
    let (ours, svg, joined) = (folder.file("ours.csv"), folder.file("plot.svg"), folder.file("joined.csv"));
    said(&[&index, "--dir", &dir, "--filter", "set=good", "--out", &ours, "--engine", "ic3cfa"]);
    let theirs = folder.write(
        "theirs.csv",
        "name,expected,old_status,old_s,old_smt_calls,old_mb,path\nfig2,true,true,100,9000,50,fig2.cfa\n\
         p,false,Timeout,1800,,2000,p_false.cfa\nelsewhere,true,true,3,,,\n",
    );
    let text = said(&["--compare", &ours, &theirs, "--svg", &svg, "--out", &joined]);
    assert!(
        text.contains("A: nilas ic3cfa: 2 solved") && text.contains("B: old (theirs.csv): 1 solved"),
        "{text}"
    );
    assert!(text.contains("only A: p_false.cfa: unsafe"), "{text}");
    assert!(text.contains("CPU seconds on 1 tasks that both solved: A "), "{text}");
    assert!(text.contains("solver calls on 1 tasks that both solved: A "), "{text}");
    let svg = std::fs::read_to_string(svg).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("9000 calls"), "{svg}");
    let rows = columns(&joined, &["path", "verdict_a", "verdict_b", "cpu_s_b", "solver_calls_b"]);
    assert_eq!(rows[0], ["fig2.cfa", "safe", "safe", "100.00", "9000"]);
    assert_eq!(rows[1], ["p_false.cfa", "unsafe", "unknown", "1800.00", ""]);
}

#[test]
fn mistakes_are_told() {
    let folder = Folder::new("mistakes");
    let index = folder.write("index.csv", INDEX);
    let malformed = folder.write("malformed.csv", "path,expected\nx.c\n");
    let dir = examples();
    let several = folder.write("several.csv", "path,expected,a,a_s,b,b_s\nx.c,true,true,1,true,1\n");
    let one = folder.write("one.csv", "path,expected,a,a_s\nx.c,true,true,1\n");
    let cases: [(&[&str], i32, &str); 17] = [
        (&[], 1, "required"),
        (&["/nonexistent/index.csv"], 2, "cannot read"),
        (&[&malformed], 2, "malformed.csv:2: "),
        (&[&index, "--dir", "/nonexistent"], 2, "none of the 6 tasks"),
        (&[&index, "--dir", &dir, "--filter", "nonsense"], 1, "`nonsense`"),
        (&[&index, "--dir", &dir, "--filter", "colour=red"], 1, "`colour`"),
        (&[&index, "--dir", &dir, "--filter", "set=empty"], 1, "no task"),
        (&[&index, "--dir", &dir, "--shard", "3/2"], 1, "1/n"),
        (&[&index, "--dir", &dir, "--tool", "cbmc"], 1, "{file}"),
        (&["--compare", &index, &index], 2, "no results"),
        (&["--compare", &several, &several], 1, "several.csv:TOOL`: a, b"),
        (&["--compare", &one, &one, "--out", &one], 1, "is compared"),
        (&[&index, "--dir", &dir, "--setting", "x"], 1, "`name: options`"),
        (&[&index, "--dir", &dir, "--setting", "x: --engine magic"], 1, "cannot take `--engine magic`"),
        (&[&index, "--dir", &dir, "--engine", "bmc", "--setting", "x: --engine bmc"], 1, "multiple times"),
        (&[&index, "--dir", &dir, "--grid", &malformed], 2, "malformed.csv:1: "),
        (&[&index, "--dir", &dir, "--", "--techniques=magic"], 1, "no technique `magic`"),
    ];
    for (args, code, part) in cases {
        let output = bench(args);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{args:?}: {stderr}");
        assert!(stderr.contains(part), "{args:?}: {stderr}");
        assert!(!stderr.contains("panicked"), "{args:?}: {stderr}");
    }
}
