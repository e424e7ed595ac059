//! Programs with procedures: the text, the flat automaton step by step beside the module, effects, local
//! variables.

use crate::examples::examples;
use crate::explicit::reachable;
use crate::round_trip::assert_same;
use nilas_program::procedures::{
    CallInterpreter, Came, Cut, CutReason, Flat, FlattenOptions, ModuleShape, Move, Reach, WithCalls, check,
    effects, flatten, localise, module_to_dot, random_module, slice, validate,
};
use nilas_program::random::{Rng, value};
use nilas_program::{
    Basic, Command, HavocSite, Interpreter, LocationId, Module, ProcedureId, Step, VarId, parse_module,
    print_module, wellformed,
};
use nilas_term::{Budget, Importer, Value};
use std::collections::BTreeSet;

fn flat(module: &Module, recursion: usize, share: &dyn Fn(ProcedureId) -> bool) -> Flat {
    let options = FlattenOptions { recursion, edges: 2000, share, ..FlattenOptions::default() };
    flatten(module.clone(), &options, &Budget::unlimited()).unwrap()
}

#[track_caller]
fn assert_round_trip(module: &Module, context: &str) {
    let text = print_module(module);
    let again = parse_module(&text)
        .unwrap_or_else(|errors| panic!("{context}\n{text}\n{}", errors[0].render("printed", &text)));
    let context = format!("{context}\n{text}");
    assert_same(&module.program, &again.program, &context);
    assert_eq!((&module.targets, &module.owners), (&again.targets, &again.owners), "{context}");
    let procedures = |module: &Module| -> Vec<_> {
        let all = module.procedures.iter();
        all.map(|it| (it.name.clone(), it.parameters.clone(), it.results.clone(), it.entry, it.exit))
            .collect()
    };
    assert_eq!(procedures(module), procedures(&again), "{context}");
    let mut arena = module.program.arena.clone();
    let mut importer = Importer::new();
    assert_eq!(module.calls.len(), again.calls.len(), "{context}");
    for (left, right) in module.calls.iter().zip(&again.calls) {
        let arguments: Vec<_> = right
            .arguments
            .iter()
            .map(|&term| importer.import(&mut arena, &again.program.arena, term).unwrap())
            .collect();
        assert_eq!(
            (left.source, left.target, left.callee, &left.arguments, &left.results),
            (right.source, right.target, right.callee, &arguments, &right.results),
            "{context}"
        );
    }
}

#[test]
fn the_text_of_random_modules() {
    let mut called = 0;
    for seed in 0..600 {
        let module = random_module(&mut Rng::new(seed), &ModuleShape::default());
        assert_eq!(check(&module), Ok(()), "seed {seed}\n{}", print_module(&module));
        // Numbered as the text numbers things: procedure by procedure.
        let text = print_module(&module);
        let module = parse_module(&text).unwrap_or_else(|errors| panic!("{}", errors[0].render("f", &text)));
        assert_round_trip(&module, &format!("seed {seed}"));
        assert!(module_to_dot(&module).contains("subgraph"), "seed {seed}");
        called += module.calls.len();
    }
    assert!(called > 1000, "{called} calls");
}

#[test]
fn examples_with_procedures() {
    let mut found = 0;
    for (name, text) in examples() {
        let module =
            parse_module(&text).unwrap_or_else(|errors| panic!("{}", errors[0].render(&name, &text)));
        assert_round_trip(&module, &name);
        found += usize::from(!module.procedures.is_empty());
        let flat = flat(&module, 3, &|_| false);
        assert_eq!(wellformed::check_targets(&flat.targets), Ok(()), "{name}");
    }
    assert!(found >= 4, "{found} examples");
}

/// A value for a choice of one step.
fn chosen(module: &Module, salt: u64, site: HavocSite) -> Value {
    let havocs = &module.program.automaton.havocs;
    let variable = match havocs.get(site.index()) {
        Some(havoc) => havoc.variable,
        None => VarId::new(site.index() - havocs.len()),
    };
    let sort = &module.program.automaton.variable(variable).sort;
    value(&mut Rng::new(salt.wrapping_mul(31).wrapping_add(site.index() as u64)), sort)
}

/// Executes module and automaton side by side. At each step both have the same ways on, which are open or
/// blocked alike and leave the same values in global variables. Whether a cut was met.
fn side_by_side(module: &Module, flat: &Flat, rng: &mut Rng, context: &str) -> (usize, bool) {
    let (program, automaton) = (&flat.targets.program, &flat.targets.program.automaton);
    let old = &module.program.automaton;
    let store: Vec<Value> = old.variables.iter().map(|variable| value(rng, &variable.sort)).collect();
    let start = |(index, origin): (usize, &Option<(VarId, usize)>)| match origin {
        Some((variable, 1)) => store[variable.index()].clone(),
        _ => value(&mut Rng::new(index as u64), &automaton.variables[index].sort),
    };
    let flat_store = flat.variables.iter().enumerate().map(start).collect();
    let mut left = CallInterpreter::new(module, store.clone()).unwrap();
    let mut right = Interpreter::new(&program.arena, automaton, flat_store).unwrap();
    let mut at = automaton.entry;
    let mut depth = 0;
    for _ in 0..40 {
        let place = flat.locations[at.index()].map(|(_, location)| location);
        assert_eq!(place, Some(left.location()), "{context}");
        let moves = left.moves();
        let leaving: Vec<_> =
            automaton.edge_ids().filter(|&edge| automaton.edge(edge).source == at).collect();
        let came = |edge: nilas_program::EdgeId| match flat.edges[edge.index()] {
            Came::Edge(edge) => Move::Edge(edge),
            Came::Enter(call) | Came::Cut(call) => Move::Enter(call),
            Came::Leave(call) => Move::Leave(call),
        };
        // A shared body has a way out for each of its calls.
        let is_active = |step: &Move| !matches!(step, Move::Leave(_)) || moves.contains(step);
        let ways: BTreeSet<Move> = leaving.iter().map(|&edge| came(edge)).filter(is_active).collect();
        assert_eq!(ways, moves.iter().copied().collect(), "{context}");
        let salt = rng.bits();
        let mut next = Vec::new();
        for &step in &moves {
            let mut fork = left.clone();
            let open = fork.go(step, &mut |site, _| chosen(module, salt, site)).unwrap();
            let mut taken = Vec::new();
            let mut cut = false;
            for &edge in leaving.iter().filter(|&&edge| came(edge) == step) {
                cut |= matches!(flat.edges[edge.index()], Came::Cut(_));
                let mut other = right.clone();
                let mut chooser = |site: HavocSite, _: usize| chosen(module, salt, flat.sites[site.index()]);
                if other.step(edge, &mut chooser).unwrap() != Step::Blocked {
                    taken.push((other, automaton.edge(edge).target));
                }
            }
            assert_eq!(taken.len(), usize::from(open), "{context}\n{step:?} at {:?}", left.location());
            if let Some((other, target)) = taken.pop() {
                if cut {
                    assert_eq!(Some(target), automaton.unmodelled, "{context}");
                }
                for variable in old.variable_ids().filter(|&it| module.owner_of(it).is_none()) {
                    assert_eq!(fork.value(variable), other.value(variable), "{context}\n{step:?}");
                }
                next.push((fork, other, target, cut));
            }
        }
        // Ways out of a shared body that are not of the active call are shut.
        for &edge in leaving.iter().filter(|&&edge| !is_active(&came(edge))) {
            let open =
                right.clone().step(edge, &mut |site, _| chosen(module, salt, flat.sites[site.index()]));
            assert_eq!(open, Ok(Step::Blocked), "{context}");
        }
        if next.is_empty() {
            break;
        }
        let (fork, other, target, cut) = next.swap_remove(rng.below(next.len()));
        if cut {
            return (depth, true);
        }
        (left, right, at) = (fork, other, target);
        depth = depth.max(left.calls().len());
    }
    (depth, false)
}

#[test]
fn automata_and_modules_do_the_same() {
    let (mut deepest, mut cuts, mut copies) = (0, 0, 0);
    for seed in 0..1500 {
        let rng = &mut Rng::new(seed);
        let module = random_module(rng, &ModuleShape { recursive: seed % 3 > 0, ..ModuleShape::default() });
        let every = seed % 4;
        let share = |procedure: ProcedureId| every > 0 && (procedure.index() as u64).is_multiple_of(every);
        let flat = flat(&module, 3, &share);
        let context = format!(
            "seed {seed}\n{}--\n{}",
            print_module(&module),
            nilas_program::print_targets(&flat.targets)
        );
        assert_eq!(wellformed::check_targets(&flat.targets), Ok(()), "{context}");
        for _ in 0..6 {
            let (depth, cut) = side_by_side(&module, &flat, rng, &context);
            deepest = deepest.max(depth);
            cuts += usize::from(cut);
        }
        copies += flat.copy_count();
        for location in flat.targets.program.automaton.location_ids() {
            let string = flat.call_string(location);
            let inner = string.last().map(|&call| module.call(call).callee);
            let own = flat.locations[location.index()].and_then(|(_, old)| module.owner(old));
            assert_eq!(inner, own, "{context}");
        }
    }
    assert!(deepest >= 3 && cuts > 30 && copies > 4000, "depth {deepest}, {cuts} cuts, {copies} copies");
}

#[test]
fn calls_change_what_their_effects_say() {
    let mut changed = 0;
    for seed in 0..1000 {
        let rng = &mut Rng::new(seed);
        let module = random_module(rng, &ModuleShape::default());
        let effects = effects(&module);
        let variables = &module.program.automaton.variables;
        let store = variables.iter().map(|variable| value(rng, &variable.sort)).collect();
        let mut run = CallInterpreter::new(&module, store).unwrap();
        let mut before: Vec<Vec<Value>> = Vec::new();
        let globals = |run: &CallInterpreter<'_>| -> Vec<Value> {
            module.program.automaton.variable_ids().map(|it| run.value(it).clone()).collect()
        };
        for _ in 0..60 {
            let moves = run.moves();
            if moves.is_empty() {
                break;
            }
            let step = rng.pick(&moves);
            let salt = rng.bits();
            let now = globals(&run);
            if let Move::Leave(call) = step {
                let old = before.pop().unwrap();
                let callee = module.call(call).callee;
                for it in module.program.automaton.variable_ids().filter(|&it| module.owner_of(it).is_none())
                {
                    if old[it.index()] != now[it.index()] {
                        changed += 1;
                        assert!(effects[callee.index()].writes.contains(&it), "seed {seed}, {it:?}");
                    }
                }
            }
            if run.go(step, &mut |site, _| chosen(&module, salt, site)).unwrap()
                && matches!(step, Move::Enter(_))
            {
                before.push(now);
            }
        }
    }
    assert!(changed > 20, "{changed}");
}

fn sinks(flat: &Flat) -> Vec<bool> {
    let reached = reachable(&flat.targets.program);
    flat.targets.program.automaton.sinks().map(|sink| reached.contains_key(&sink)).collect()
}

#[test]
fn local_variables_change_no_verdict() {
    let shape = ModuleShape { procedures: 2, globals: 3, width: 1, locations: 1, edges: 3, recursive: true };
    let (mut local, mut errors) = (0, 0);
    for seed in 0..300 {
        let mut module = random_module(&mut Rng::new(seed), &shape);
        let text = format!("seed {seed}\n{}", print_module(&module));
        let inlined = flat(&module, 2, &|_| false);
        if inlined.targets.program.automaton.variables.len() > 12 {
            continue;
        }
        let before = sinks(&inlined);
        local += localise(&mut module);
        assert_eq!(check(&module), Ok(()), "{text}");
        assert_eq!(sinks(&flat(&module, 2, &|_| false)), before, "{text}");
        errors += usize::from(before[0]);
    }
    assert!(local > 5 && errors > 100, "{local} local variables, {errors} reach the error");
}

#[test]
fn slices_lose_no_way_to_a_sink() {
    let shape = ModuleShape { procedures: 2, globals: 3, width: 1, locations: 3, edges: 5, recursive: false };
    let (mut smaller, mut kept, mut errors) = (0, 0, 0);
    for seed in 0..600 {
        let module = random_module(&mut Rng::new(seed), &shape);
        let inlined = flat(&module, 2, &|_| false);
        if inlined.targets.program.automaton.variables.len() > 12 {
            continue;
        }
        let before = sinks(&inlined);
        errors += usize::from(before[0]);
        for reach in [Reach::Data, Reach::Control] {
            let slice = slice(&module, reach);
            let text = || format!("seed {seed}\n{}\n{}", print_module(&module), print_module(&slice.module));
            assert_eq!(check(&slice.module), Ok(()), "{}", text());
            assert_eq!(slice.edges.len(), slice.module.program.automaton.edges.len());
            let after = sinks(&flat(&slice.module, 2, &|_| false));
            assert!(before.iter().zip(&after).all(|(before, after)| !before || *after), "{}", text());
            let steps = |module: &Module| module.program.automaton.edges.len() + module.calls.len();
            smaller += usize::from(steps(&slice.module) < steps(&module));
            kept += usize::from(before == after && !before[0]);
        }
    }
    assert!(errors > 100 && smaller > 100 && kept > 50, "{errors} errors, {smaller} smaller, {kept} kept");
}

#[test]
fn a_slice_has_neither_idle_loops_nor_idle_calls() {
    let text = "var lock : bool var i, n : bv8 entry a error e
        proc wait() { entry w.in exit w.out
            w.in -> w.l { i := 0 } w.l -> w.l { assume i <u 9; i := i + 1 } w.l -> w.out { assume i >=u 9 } }
        proc toggle() { entry t.in exit t.out t.in -> t.out { lock := !lock } }
        a -> b { lock := false; n := 0 } b -> c { call wait() } c -> d { call toggle() }
        d -> d { assume n <u 100; n := n + 1 } d -> f { assume n >=u 100 }
        f -> e { assume !lock } f -> b { assume lock; i := 3 }";
    let module = parse_module(text).unwrap_or_else(|errors| panic!("{}", errors[0].render("f", text)));
    let names = |reach: Reach| -> Vec<String> {
        let module = slice(&module, reach).module;
        assert_eq!(check(&module), Ok(()));
        let automaton = &module.program.automaton;
        let name = |location: LocationId| automaton.location(location).name.clone();
        let edges = automaton.edges.iter().map(|edge| (edge.source, edge.target, ""));
        let calls =
            module.calls.iter().map(|it| (it.source, it.target, &module.procedure(it.callee).name[..]));
        let of_main = edges.chain(calls).filter(|(source, ..)| module.owner(*source).is_none());
        of_main.map(|(source, target, call)| format!("{} {} {call}", name(source), name(target))).collect()
    };
    assert_eq!(names(Reach::Data), ["a c ", "f e ", "f c ", "c f toggle"]);
    assert_eq!(names(Reach::Control), ["a c ", "f e ", "f c ", "c f toggle"]);
}

#[test]
fn recursion_ends_at_its_bound() {
    let text = "var x : bv8 entry a error e a -> b { x := call f(x) } b -> e
        proc f(f.n : bv8) returns (f.r : bv8) { entry f.in exit f.out
            f.in -> f.out { assume f.n == 0; f.r := 1 }
            f.in -> f.l { f.r := call f(f.n - 1) }  f.l -> f.out { f.r := f.r + f.n } }";
    let module = parse_module(text).unwrap();
    let flat = flat(&module, 3, &|_| false);
    assert_eq!(flat.copy_count(), 4);
    assert!(matches!(flat.cuts[..], [Cut { reason: CutReason::Recursion, .. }]));
    let name = |index: usize| &flat.targets.program.automaton.locations[index].name[..];
    let names: Vec<&str> = (0..flat.locations.len()).map(name).collect();
    assert!(names.contains(&"a/f.in/f.in/f.l") && names.contains(&"unmodelled"), "{names:?}");
    let deep = names.iter().position(|&name| name == "a/f.in/f.l").unwrap();
    assert_eq!(flat.call_string(LocationId::new(deep)).len(), 2);
    let variables: Vec<&str> =
        flat.targets.program.automaton.variables.iter().map(|variable| &variable.name[..]).collect();
    assert_eq!(variables, ["x", "f.n", "f.r", "f.n#2", "f.r#2", "f.n#3", "f.r#3"]);
}

/// What `flatten` makes of random modules is validated, whoever shares bodies and however deep recursion goes.
#[test]
fn flat_automata_are_those_of_their_modules() {
    let (mut shared, mut deep) = (0, 0);
    for seed in 0..600 {
        let shape = ModuleShape { recursive: seed % 3 != 0, ..ModuleShape::default() };
        let module = random_module(&mut Rng::new(seed), &shape);
        for (recursion, share) in [(1, 0), (3, 0), (3, 1), (4, 2), (2, 3)] {
            let flat = flat(&module, recursion, &|procedure| (procedure.index() + 1) & share != 0);
            let calls = WithCalls::new(module.clone(), &flat);
            let answer = validate(&flat.targets.program, &calls);
            assert_eq!(answer, Ok(()), "seed {seed}, share {share}\n{}", print_module(&module));
            shared += usize::from(flat.variables.contains(&None));
            deep += usize::from(flat.variables.iter().flatten().any(|(_, depth)| *depth > 1));
        }
    }
    assert!(shared > 300 && deep > 300, "{shared} shared, {deep} deep");
}

/// A program whose calls share a body, with a recursive procedure inside, arguments, results and a variable
/// that is read before it is set.
const SHARED: &str = "var x, y : bv8 entry a error e
    proc f(f.n : bv8) returns (f.r : bv8) { var f.t : bv8 entry f.in exit f.out
        f.in -> f.m { f.r := call g(f.n) }
        f.m -> f.out { assume f.t == 1; f.r := f.r + f.t } }
    proc g(g.n : bv8) returns (g.r : bv8) { entry g.in exit g.out
        g.in -> g.out { assume g.n == 0; g.r := 1 }
        g.in -> g.l { assume g.n != 0; x := x + 1 }
        g.l -> g.out { g.r := call g(g.n - 1) } }
    a -> b { x := call f(y) } b -> c { y := call f(x + 1) } c -> e { assume x == y }";

/// Each edge of a flat automaton matters: whatever is changed in one is found.
#[test]
fn a_wrong_wait_encoding_is_refused() {
    let module = parse_module(SHARED).unwrap_or_else(|errors| panic!("{}", errors[0].render("f", SHARED)));
    let flat = flat(&module, 3, &|_| true);
    let calls = WithCalls::new(module.clone(), &flat);
    let right = &flat.targets.program;
    assert_eq!(validate(right, &calls), Ok(()));
    assert!(flat.variables.contains(&None), "calls share a body");
    // Where calls are given up, too early is no error.
    let given_up: Vec<LocationId> =
        flat.cuts.iter().map(|cut| right.automaton.edge(cut.edge).source).collect();
    let mut changes = 0;
    let mut refused = |what: &str, program: &nilas_program::Program, calls: &WithCalls| {
        assert!(validate(program, calls).is_err(), "{what}\n{}", nilas_program::print_program(program));
        changes += 1;
    };
    for index in 0..right.automaton.edges.len() {
        let name = format!("edge {index}, {:?}", calls.came[index]);
        // To another place.
        let to = right.automaton.edges[index].target;
        for target in right.automaton.location_ids().filter(|it| *it != to && !given_up.contains(it)) {
            let mut wrong = right.clone();
            wrong.automaton.edges[index].target = target;
            refused(&format!("{name} to {target:?}"), &wrong, &calls);
        }
        // Gone, or there twice.
        let (mut wrong, mut hints) = (right.clone(), calls.clone());
        wrong.automaton.edges.remove(index);
        hints.came.remove(index);
        refused(&format!("{name} gone"), &wrong, &hints);
        let (mut wrong, mut hints) = (right.clone(), calls.clone());
        wrong.automaton.edges.push(wrong.automaton.edges[index].clone());
        hints.came.push(hints.came[index]);
        refused(&format!("{name} twice"), &wrong, &hints);
        // Without one of its commands, or with another one in its place.
        let command = &right.automaton.edges[index].command;
        let sort = |variable: VarId| right.automaton.variable(variable).sort.clone();
        for (at, arc) in command.arcs().iter().enumerate() {
            let mut wrong = right.clone();
            let arena = &mut wrong.arena;
            let mut others = vec![Basic::Skip];
            match arc.basic {
                Basic::Skip => others.clear(),
                Basic::Assume(term) => others.push(Basic::Assume(arena.not(term))),
                Basic::Assign(variable, _) => {
                    others.push(Basic::Assign(variable, right.automaton.variable(variable).term));
                    let same = right.automaton.variable_ids().filter(|&it| it != variable);
                    for other in same.filter(|&it| sort(it) == sort(variable)) {
                        others.push(Basic::Assign(variable, right.automaton.variable(other).term));
                    }
                }
                Basic::Havoc(..) => {}
            }
            for other in others.into_iter().filter(|&other| other != arc.basic) {
                let mut count = 0;
                wrong.automaton.edges[index].command = command.clone().with_basics(|basic| {
                    count += 1;
                    if count == at + 1 { other } else { basic }
                });
                refused(&format!("{name}: {other:?} at {at}"), &wrong, &calls);
            }
        }
        let mut wrong = right.clone();
        let never = wrong.arena.mk_false();
        let stuck = Command::basic(Basic::Assume(never), nilas_program::Span::default());
        wrong.automaton.edges[index].command = Command::sequence(&[command.clone(), stuck]);
        refused(&format!("{name} stuck"), &wrong, &calls);
    }
    // Two activations with the same variables.
    for (index, is) in calls.variables.iter().enumerate() {
        let mut hints = calls.clone();
        hints.variables[index] = is.map(|(variable, depth)| (variable, depth + 1));
        if is.is_some() {
            refused(&format!("variable {index} deeper"), right, &hints);
        }
    }
    assert!(changes > 300, "{changes} changes");
}
