//! The programs with known verdicts: those of the tests `soundness`, `unknown`, `examples`, `lifetimes`, `idioms` and
//! `sanitisers` (which `check --check-undefined` must tell from each other), and programs
//! with fixed seeds of which gcc tells the values, those of the test `generators` with its families and of the test `compiler`
//! of the crate `nilas-c`.

use crate::generator;
use crate::kit::program::{Form, Model};
use crate::kit::random::Random;
use crate::kit::{gcc, idioms, number, temporary};
use crate::lifetimes::{self, Wrong};
use crate::programs::{FAMILIES, GENERATORS, features};
use crate::search::{Outcome, Run};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

/// Programs that take longer without fault are left out.
pub(crate) const SLOW: Duration = Duration::from_millis(1000);

/// What is known of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Promise {
    /// This verdict and no other.
    Expect(Outcome),
    /// Any other verdict.
    Never(Outcome),
}

impl Promise {
    pub(crate) fn allows(self, outcome: &Outcome) -> bool {
        match self {
            Promise::Expect(expected) => *outcome == expected,
            Promise::Never(wrong) => {
                *outcome != wrong && matches!(outcome, Outcome::Safe | Outcome::Unsafe | Outcome::Unknown)
            }
        }
    }
}

/// A question with a known answer.
pub(crate) struct Question {
    /// The test that the program comes from.
    pub(crate) test: &'static str,
    pub(crate) program: String,
    pub(crate) path: PathBuf,
    pub(crate) options: Vec<String>,
    pub(crate) promise: Promise,
    text: String,
    /// What comes out without fault; nothing if that is slow or not as promised.
    usual: OnceLock<Option<Outcome>>,
}

impl Question {
    fn new(
        test: &'static str,
        program: String,
        path: PathBuf,
        options: Vec<String>,
        promise: Promise,
    ) -> Self {
        let text = std::fs::read_to_string(&path).unwrap();
        Question { test, program, path, options, promise, text, usual: OnceLock::new() }
    }

    /// What comes out without fault; the program is left out if there is nothing.
    pub(crate) fn usual(&self) -> Option<Outcome> {
        *self.usual.get_or_init(|| {
            let run = Run::new(self, None);
            (run.time < SLOW && self.promise.allows(&run.outcome)).then_some(run.outcome)
        })
    }

    pub(crate) fn is_left_out(&self) -> bool {
        self.usual.get() == Some(&None)
    }

    fn has_one_of(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.text.contains(word))
    }
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.test, self.program)
    }
}

/// All questions, in the order in which they are asked.
pub(crate) struct Suite {
    pub(crate) questions: Vec<Question>,
    written: Vec<PathBuf>,
}

/// Programs of each feature.
const TURNS: u64 = 3;
/// Programs of each generator.
const SEEDS: u64 = 4;
/// Programs of the test `compiler`.
const COMPILED: u64 = 60;

impl Suite {
    pub(crate) fn new() -> Self {
        let mut suite = Suite { questions: Vec::new(), written: Vec::new() };
        // With one engine the verdict is never that of the second reading alone, so this comes first.
        let alone = ["--engine", "ic3cfa"];
        suite.files("soundness", "tests/soundness", &alone);
        suite.generated(&alone);
        suite.features(&alone);
        suite.families(&alone);
        suite.compiled();
        suite.library();
        suite.idioms(&alone);
        suite.lifetimes();
        suite.undefined();
        suite.files("unknown", "tests/unknown", &alone);
        suite.files("examples", "../../examples/c", &alone);
        suite.files("all engines", "tests/soundness", &[]);
        suite.files("all engines", "../../examples/c", &[]);
        suite
    }

    /// The questions, those about programs with one of the words first. The tests take turns, each with its
    /// short programs before the long ones.
    pub(crate) fn questions_for(&self, words: &[&str]) -> Vec<&Question> {
        let mut questions: Vec<&Question> = self.questions.iter().collect();
        questions.sort_by_key(|question| (!question.has_one_of(words), question.text.len()));
        let mut turns: BTreeMap<(bool, &str), usize> = BTreeMap::new();
        questions.sort_by_cached_key(|question| {
            let other = !question.has_one_of(words);
            let turn = turns.entry((other, question.test)).or_default();
            *turn += 1;
            (other, *turn)
        });
        questions
    }

    /// The programs of a folder; their first lines say the verdicts.
    fn files(&mut self, test: &'static str, folder: &str, form: &[&str]) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
            .collect();
        files.sort();
        for path in files {
            let text = std::fs::read_to_string(&path).unwrap();
            let Some(promise) = promise(&text) else { continue };
            let more = text.lines().nth(1).and_then(|line| line.strip_prefix("// options: ")).unwrap_or("");
            let options = form.iter().copied().chain(more.split_whitespace()).map(str::to_owned).collect();
            let program = path.file_name().unwrap().to_string_lossy().into_owned();
            self.questions.push(Question::new(test, program, path, options, promise));
        }
    }

    /// A few programs of every generator, with both questions.
    fn generated(&mut self, form: &[&str]) {
        let first = number("NILAS_SEED", 1);
        let models = models();
        for (place, (name, generate, seed)) in GENERATORS
            .iter()
            .flat_map(|&(name, generate)| (first..first + SEEDS).map(move |seed| (name, generate, seed)))
            .enumerate()
        {
            let Some(&model) = models.get(place % models.len().max(1)) else { continue };
            let program = generate(&mut Random::new(seed));
            let Ok(values) = gcc::values(&program.text(&Form::Print), model) else { continue };
            for (question, text, safe) in program.questions(&values) {
                let wrong = if safe { Outcome::Safe } else { Outcome::Unsafe };
                let options: Vec<&str> = form.iter().copied().chain([model.option()]).collect();
                let title = format!("{name} {seed} {question}");
                self.written("generators", title, &text, &options, Promise::Never(wrong));
            }
        }
    }

    /// Programs with one feature each, all of which the test `generators` wants to be decided.
    fn features(&mut self, form: &[&str]) {
        let models = models();
        for turn in 0..TURNS {
            for number in 0..features::count() {
                let seed = 1 + u64::try_from(number).unwrap() + 1000 * turn;
                let Some(&model) = models.get(number % models.len().max(1)) else { continue };
                let program = features::feature(number, &mut Random::new(seed));
                let Ok(values) = gcc::values(&program.text(&Form::Print), model) else { continue };
                for (question, text, safe) in program.questions(&values) {
                    let (right, wrong) = if safe {
                        (Outcome::Unsafe, Outcome::Safe)
                    } else {
                        (Outcome::Safe, Outcome::Unsafe)
                    };
                    // Those of the first turn are what the test asks for.
                    let asked_for = turn == 0 && number < features::decided();
                    let promise = if asked_for { Promise::Expect(right) } else { Promise::Never(wrong) };
                    let options: Vec<&str> = form.iter().copied().chain([model.option()]).collect();
                    let title = format!("{number} seed {seed} {question}");
                    self.written("features", title, &text, &options, promise);
                }
            }
        }
    }

    /// All cases of every family, with both questions.
    fn families(&mut self, form: &[&str]) {
        let (models, first) = (models(), number("NILAS_SEED", 1));
        for &(name, count, make) in FAMILIES {
            for case in 0..count() {
                let seed = first + u64::try_from(case).unwrap();
                let Some(&model) = models.get(case % models.len().max(1)) else { continue };
                let program = make(case, &mut Random::new(seed));
                let Ok(values) = gcc::values(&program.text(&Form::Print), model) else { continue };
                for (question, text, safe) in program.questions(&values) {
                    let wrong = if safe { Outcome::Safe } else { Outcome::Unsafe };
                    let options: Vec<&str> = form.iter().copied().chain([model.option()]).collect();
                    self.written(name, format!("{case} {question}"), &text, &options, Promise::Never(wrong));
                }
            }
        }
    }

    /// Programs of the test `idioms`.
    fn idioms(&mut self, form: &[&str]) {
        for (number, idiom) in idioms::all().iter().enumerate() {
            for (safe, wrong) in [(true, Outcome::Unsafe), (false, Outcome::Safe)] {
                let question = if safe { "holds" } else { "does not hold" };
                let model = if number % 2 == 0 { "--32" } else { "--64" };
                let options: Vec<&str> = form.iter().copied().chain([model]).collect();
                let title = format!("{number} {question}");
                self.written("idioms", title, &idiom.program(safe), &options, Promise::Never(wrong));
            }
        }
    }

    /// Programs of the test `lifetimes`.
    fn lifetimes(&mut self) {
        for (name, text, wrong) in lifetimes::programs() {
            let wrong = match wrong {
                Wrong::Safe => Outcome::Safe,
                Wrong::Unsafe => Outcome::Unsafe,
            };
            self.written("lifetimes", name, &text, &["--engine", "ic3cfa"], Promise::Never(wrong));
        }
    }

    /// Programs of the test `sanitisers`, with and without undefined behaviour.
    fn undefined(&mut self) {
        let base = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sanitisers/programs");
        let entries = |folder: &Path| {
            let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
            let mut paths: Vec<PathBuf> = paths.collect();
            paths.sort();
            paths
        };
        for path in entries(&base).iter().flat_map(|folder| entries(folder)) {
            let text = std::fs::read_to_string(&path).unwrap();
            for (key, wrong) in [("good", Outcome::Unsafe), ("bad", Outcome::Safe)] {
                let value = text.lines().find_map(|line| line.strip_prefix(&format!("// {key}: ")));
                let name = path.strip_prefix(&base).unwrap().display().to_string();
                let options = ["--engine", "ic3cfa", "--check-undefined", &format!("-DN={}", value.unwrap())];
                let options = options.map(str::to_owned).to_vec();
                let promise = Promise::Never(wrong);
                let name = format!("{name} {key}");
                self.questions.push(Question::new("sanitisers", name, path.clone(), options, promise));
            }
        }
    }

    /// A question about a text, in a file that is there as long as the suite.
    fn written(
        &mut self,
        test: &'static str,
        program: String,
        text: &str,
        options: &[&str],
        promise: Promise,
    ) {
        let path = temporary("fault.c");
        std::fs::write(&path, text).unwrap();
        self.written.push(path.clone());
        let options = options.iter().map(ToString::to_string).collect();
        self.questions.push(Question::new(test, program, path, options, promise));
    }

    /// Programs without inputs: the checksum that gcc computes is reached, and no other is.
    fn checksums(&mut self, test: &'static str, name: &str, model: Model, body: &str, run: &str, sum: &str) {
        let print = format!(
            "{body}\nint printf(const char *, ...);\nint main(void) {{ {run}(); printf(\"%llu\\n\", {sum}); return 0; }}\n"
        );
        let Ok(printed) = gcc::output(&print, model, &[]) else { return };
        let questions = [("agrees", "==", Outcome::Safe), ("differs", "!=", Outcome::Unsafe)];
        for (question, operator, wrong) in questions {
            let text = format!(
                "{body}\nextern void reach_error(void);\nint main(void) {{ {run}(); if ({sum} {operator} {}ULL) reach_error(); return 0; }}\n",
                printed.trim()
            );
            let options = ["--engine", "bmc", model.option()];
            self.written(test, format!("{name} {question}"), &text, &options, Promise::Never(wrong));
        }
    }

    /// Programs of the test `compiler`.
    fn compiled(&mut self) {
        for (seed, model) in (1..=COMPILED).zip(models().into_iter().cycle()) {
            let text = generator::program(0, seed);
            self.checksums("compiler", &seed.to_string(), model, &text, "prog_0", "chk_0");
        }
    }

    /// The functions of the library that the test `compiler` calls.
    fn library(&mut self) {
        let body = include_str!("../../../nilas-c/tests/compiler/library.c");
        let parts: Vec<&str> = body
            .lines()
            .filter_map(|line| line.strip_prefix("static void ")?.strip_suffix("(void) {"))
            .collect();
        for (&part, model) in parts.iter().zip(models().into_iter().cycle()) {
            let first = self.questions.len();
            self.checksums("library", part, model, body, part, "checksum");
            // Only the part itself has words.
            let own = body.split(&format!("static void {part}(void) {{")).nth(1);
            let own = own.and_then(|rest| rest.split("\n}").next()).unwrap_or_default();
            for question in &mut self.questions[first..] {
                question.text = own.to_owned();
            }
        }
    }
}

/// The data models that gcc has here.
fn models() -> Vec<Model> {
    [Model::Lp64, Model::Ilp32].into_iter().filter(|&model| gcc::available(model)).collect()
}

impl Drop for Suite {
    fn drop(&mut self) {
        for path in &self.written {
            let _ = std::fs::remove_file(path);
        }
    }
}

/// What the first line of a program promises.
fn promise(text: &str) -> Option<Promise> {
    let first = text.lines().next()?;
    let verdict = |word: &str| match word.trim() {
        "safe" => Some(Outcome::Safe),
        "unsafe" => Some(Outcome::Unsafe),
        "unknown" => Some(Outcome::Unknown),
        _ => None,
    };
    match (first.strip_prefix("// never: "), first.strip_prefix("// expect: ")) {
        (Some(word), _) => verdict(word).map(Promise::Never),
        (_, Some(word)) => verdict(word).map(Promise::Expect),
        _ => verdict(first.trim_start_matches("// ")).map(Promise::Expect),
    }
}
