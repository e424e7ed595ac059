//! Memory and code that the program does not own, and where the program's own memory lies.

mod kit;

use nilas_run::choice::{Choice, Chooser, NoChoice};
use nilas_run::{End, Options};

/// Results of unknown functions by a list.
struct Results(Vec<i128>);

impl Chooser for Results {
    fn choose(&mut self, _: &Choice) -> Result<Option<i128>, NoChoice> {
        self.0.pop().map(Some).ok_or(NoChoice)
    }
}

/// What a pointer of unknown origin points to may be a function: nobody knows what it returns, and it does
/// nothing else. Objects of the program are no functions, and neither is null.
#[test]
fn functions_of_unknown_origin_return_any_value() {
    let text = "typedef int (*code)(int); code get(void); int main(void) { return get()(3) == 5 ? 7 : 8; }";
    for model in kit::MODELS {
        let outside = 0x1000 + (1 << (if model.is_narrow() { 31 } else { 63 }));
        let end = |pointer, result| {
            kit::run_with(text, model, &Options::default(), &mut Results(vec![result, pointer])).0.end
        };
        assert_eq!(end(outside, 5), End::Exit(7));
        assert_eq!(end(outside, 6), End::Exit(8));
        assert!(matches!(end(0, 5), End::Undefined(_)), "{:?}", end(0, 5));
        assert!(matches!(end(0x1000, 5), End::Undefined(_)), "{:?}", end(0x1000, 5));
    }
}

/// What is recorded of a choice is a number of its type, however the chooser says it: witnesses and tests are
/// written from that.
#[test]
fn choices_are_numbers_of_their_type() {
    let text = "int __VERIFIER_nondet_int(void); unsigned char __VERIFIER_nondet_uchar(void);
        int main(void) { return __VERIFIER_nondet_int() == -1 && __VERIFIER_nondet_uchar() == 200; }";
    for model in kit::MODELS {
        let mut results = Results(vec![-56, 0xffff_ffff]);
        let execution = kit::run_with(text, model, &Options::default(), &mut results).0;
        assert_eq!(execution.end, End::Exit(1));
        let values: Vec<i128> = execution.choices.iter().map(|made| made.value).collect();
        assert_eq!(values, [-1, 200]);
    }
}

/// Statics and allocated memory lie below 4 GiB if that is asked for, and the stack above, as in a program that
/// is linked to fixed addresses.
#[test]
fn memory_may_lie_low() {
    let text = "void *malloc(unsigned long); int g;
        int main(void) {
            int x, *p = malloc(sizeof *p), *q = malloc(100);
            *p = x = 1; g = *p;
            int low = (unsigned long)p >> 32 == 0 && (unsigned long)q >> 32 == 0 && (unsigned long)&g >> 32 == 0;
            return 2 * low + ((unsigned long)&x >> 32 == 0);
        }";
    for address_seed in 0..8 {
        let end = |low| {
            let options = Options { address_seed, low, ..Options::default() };
            kit::run(text, kit::MODELS[0], &options).0.end
        };
        assert_eq!((end(true), end(false)), (End::Exit(2), End::Exit(0)), "{address_seed}");
    }
}

/// There is memory of unknown origin below 4 GiB then, too.
#[test]
fn memory_of_unknown_origin_may_lie_low() {
    let text = "int *get(void); int main(void) { int *p = get(); *p = 3; return *p + 4; }";
    let end = |low| {
        let options = Options { low, ..Options::default() };
        kit::run_with(text, kit::MODELS[0], &options, &mut Results(vec![0x8000_1000])).0.end
    };
    assert_eq!(end(true), End::Exit(7));
    assert!(matches!(end(false), End::Unsupported { .. }), "{:?}", end(false));
}
