//! Reading the data model from a compiler.
//!
//! A text of static assertions, each of which fails where something is true, is given to the compiler, which
//! only checks it (`-fsyntax-only`). The messages that come back tell what is true. Nothing of the user's
//! program is compiled.

use super::{PreprocessError, Preprocessor, process};
use crate::types::{FloatKind, IntKind, Target};
use nilas_term::Budget;
use std::ffi::OsString;

/// What Nilas needs of every machine, and what it says where that is missing.
const NEEDED: [(&str, &str); 12] = [
    ("__CHAR_BIT__ == 8", "bytes do not have 8 bits"),
    ("__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__", "its most significant byte comes first"),
    ("sizeof(short) == 2", "`short` does not have 16 bits"),
    ("sizeof(int) == 4", "`int` does not have 32 bits"),
    ("sizeof(long long) == 8", "`long long` does not have 64 bits"),
    ("sizeof(void *) == 4 || sizeof(void *) == 8", "pointers have neither 32 nor 64 bits"),
    ("sizeof(long) == sizeof(void *)", "`long` is not as wide as a pointer"),
    ("sizeof(float) == 4 && __FLT_MANT_DIG__ == 24", "`float` does not have 32 bits"),
    ("sizeof(double) == 8 && __DBL_MANT_DIG__ == 53", "`double` does not have 64 bits"),
    ("sizeof(struct { char a; }) == 1", "small structs are padded"),
    (
        "sizeof(struct { int a : 3; char b; }) == 4 && sizeof(struct { int a : 20; int b : 20; }) == 8",
        "bit-fields lie otherwise",
    ),
    (
        "__builtin_offsetof(struct { char a; long long b; }, b) == __builtin_offsetof(struct { char a; double b; }, b)",
        "`long long` and `double` are aligned differently",
    ),
];

const UNSIGNED_CHAR: &str = "(char)-1 > 0";
const WIDE: &str = "sizeof(void *) == 8";
const ALIGNED_MEMBERS: &str = "__builtin_offsetof(struct { char a; long long b; }, b) == 8";
const SHORT_ENUMS: &str = "sizeof(enum { NILAS_ONE }) == 1";
const ALIGNING_BITS: &str = "sizeof(struct { char a; int : 3; }) == 4";

const KINDS: [(IntKind, &str); 7] = [
    (IntKind::Int, "int"),
    (IntKind::UnsignedInt, "unsigned int"),
    (IntKind::Long, "long"),
    (IntKind::UnsignedLong, "unsigned long"),
    (IntKind::Short, "short"),
    (IntKind::UnsignedShort, "unsigned short"),
    (IntKind::UnsignedChar, "unsigned char"),
];

const LONG_DOUBLES: [(FloatKind, &str); 3] = [
    (FloatKind::Double, "__LDBL_MANT_DIG__ == 53 && sizeof(long double) == 8"),
    (
        FloatKind::LongDouble,
        "__LDBL_MANT_DIG__ == 64 && sizeof(long double) == (sizeof(void *) == 8 ? 16 : 12)",
    ),
    (FloatKind::Float128, "__LDBL_MANT_DIG__ == 113 && sizeof(long double) == 16"),
];

/// What was true.
struct Answers {
    questions: Vec<String>,
    messages: String,
}

impl Answers {
    fn holds(&self, question: &str) -> bool {
        let number = self.questions.iter().position(|it| it == question);
        number.is_some_and(|number| self.messages.contains(&format!("nilas:{number}:")))
    }
}

fn is_type(name: &str, kind: &str) -> String {
    format!("__builtin_types_compatible_p({name}, {kind})")
}

impl Preprocessor {
    /// What the compiler, called with its flags, decides about types.
    pub fn target(&self, budget: &Budget) -> Result<Target, PreprocessError> {
        let answers = self.ask(budget)?;
        let compiler = self.compiler.display();
        let refuse = |why: &str| {
            let message = format!("the machine of `{compiler}` is not supported: {why}");
            Err(PreprocessError::Unsupported(message))
        };
        if let Some((_, why)) = NEEDED.iter().find(|(question, _)| !answers.holds(question)) {
            return refuse(why);
        }
        let kind = |name: &str| {
            KINDS.iter().find(|(_, kind)| answers.holds(&is_type(name, kind))).map(|(kind, _)| *kind)
        };
        let (Some(size), Some(difference), Some(wide_char)) =
            (kind("__SIZE_TYPE__"), kind("__PTRDIFF_TYPE__"), kind("__WCHAR_TYPE__"))
        else {
            return refuse("`size_t`, `ptrdiff_t` or `wchar_t` is a type that is not known");
        };
        let Some((long_double, _)) = LONG_DOUBLES.iter().find(|(_, question)| answers.holds(question)) else {
            return refuse("`long double` is a type that is not known");
        };
        let Some(largest) = (0..12).map(|n| 1 << n).find(|n| answers.holds(&largest_is(*n))) else {
            return refuse("its largest alignment is not known");
        };
        Ok(Target {
            wide: answers.holds(WIDE),
            unsigned_char: answers.holds(UNSIGNED_CHAR),
            aligned_members: answers.holds(ALIGNED_MEMBERS),
            short_enums: answers.holds(SHORT_ENUMS),
            aligning_bits: answers.holds(ALIGNING_BITS),
            size,
            difference,
            wide_char,
            long_double: *long_double,
            largest_alignment: largest,
        })
    }

    fn ask(&self, budget: &Budget) -> Result<Answers, PreprocessError> {
        let plain = [UNSIGNED_CHAR, WIDE, ALIGNED_MEMBERS, SHORT_ENUMS, ALIGNING_BITS];
        let mut questions: Vec<String> =
            NEEDED.iter().map(|(question, _)| *question).chain(plain).map(str::to_owned).collect();
        for name in ["__SIZE_TYPE__", "__PTRDIFF_TYPE__", "__WCHAR_TYPE__"] {
            questions.extend(KINDS.iter().map(|(_, kind)| is_type(name, kind)));
        }
        questions.extend(LONG_DOUBLES.iter().map(|(_, question)| (*question).to_owned()));
        questions.extend((0..12).map(|n| largest_is(1 << n)));
        // The last one always holds, so that there is always a message.
        questions.push("1".to_owned());
        let mut text = String::new();
        for (number, question) in questions.iter().enumerate() {
            text += &format!("_Static_assert(!({question}), \"nilas:{number}:\");\n");
        }
        let mut arguments: Vec<OsString> = ["-fsyntax-only", "-x", "c"].map(OsString::from).into();
        // Files that the program wants first are none of this.
        let mut flags = self.flags.iter();
        while let Some(flag) = flags.next() {
            if flag == "-include" || flag == "-imacros" {
                flags.next();
            } else {
                arguments.push(flag.clone());
            }
        }
        arguments.push("-".into());
        let run = process::run(&self.compiler, &arguments, text.into_bytes(), &self.allowed(budget));
        let last = format!("nilas:{}:", questions.len() - 1);
        match run {
            Err(PreprocessError::Refused(messages)) if messages.contains(&last) => {
                Ok(Answers { questions, messages })
            }
            Err(PreprocessError::Refused(messages)) => Err(PreprocessError::Refused(messages)),
            Err(error) => Err(error),
            Ok(_) => {
                let compiler = self.compiler.display();
                Err(PreprocessError::Unsupported(format!("`{compiler}` does not check static assertions")))
            }
        }
    }
}

fn largest_is(bytes: u64) -> String {
    format!("_Alignof(struct {{ char a __attribute__((aligned)); }}) == {bytes}")
}
