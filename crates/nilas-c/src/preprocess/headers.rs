//! The headers that Nilas ships, and the temporary folder that they live in while the compiler runs.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// `assert` keeps the place of the call: the preprocessor leaves it on the user's line. No include guard,
/// because the meaning of `NDEBUG` may change between two inclusions.
const ASSERT_H: &str = r#"#undef assert
extern void __assert_fail(const char *__assertion, const char *__file, unsigned int __line, const char *__function)
    __attribute__((__noreturn__));
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) \
    ((condition) ? (void)0 : __assert_fail(#condition, __FILE__, __LINE__, __func__))
#endif
#if !defined __cplusplus && defined __STDC_VERSION__ && __STDC_VERSION__ >= 201112L
#undef static_assert
#define static_assert _Static_assert
#endif
"#;

/// The functions that verifiers know, for programs that want to name them without warnings.
pub const NILAS_H: &str = r#"#ifndef NILAS_H
#define NILAS_H
extern _Bool __VERIFIER_nondet_bool(void);
extern char __VERIFIER_nondet_char(void);
extern signed char __VERIFIER_nondet_schar(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern long long __VERIFIER_nondet_longlong(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern __SIZE_TYPE__ __VERIFIER_nondet_size_t(void);
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern void *__VERIFIER_nondet_pointer(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_assert(int);
extern void __VERIFIER_error(void) __attribute__((__noreturn__));
extern void reach_error(void);
#endif
"#;

/// Stands in for glibc's list of missing functions where only the 64-bit one is installed.
const STUBS_32_H: &str = "/* empty */\n";

static COUNTER: AtomicU32 = AtomicU32::new(0);

/// A temporary folder with the shipped headers; removed on drop.
pub(super) struct Folder {
    root: PathBuf,
}

impl Folder {
    pub(super) fn create() -> io::Result<Folder> {
        let base = std::env::temp_dir();
        Self::create_in(&base).map_err(|error| {
            let message = format!("no folder can be made in `{}`: {error}", base.display());
            io::Error::new(error.kind(), message)
        })
    }

    fn create_in(base: &Path) -> io::Result<Folder> {
        loop {
            let number = COUNTER.fetch_add(1, Ordering::Relaxed);
            let root = base.join(format!("nilas-headers-{}-{number}", std::process::id()));
            match std::fs::create_dir(&root) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < 1 << 20 => continue,
                other => other?,
            }
            let folder = Folder { root };
            std::fs::create_dir(folder.first())?;
            std::fs::create_dir_all(folder.last().join("gnu"))?;
            std::fs::write(folder.first().join("assert.h"), ASSERT_H)?;
            std::fs::write(folder.first().join("nilas.h"), NILAS_H)?;
            std::fs::write(folder.last().join("gnu").join("stubs-32.h"), STUBS_32_H)?;
            return Ok(folder);
        }
    }

    /// Searched before the system's headers.
    pub(super) fn first(&self) -> PathBuf {
        self.root.join("first")
    }

    /// Searched after everything else.
    pub(super) fn last(&self) -> PathBuf {
        self.root.join("last")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.root);
    }
}

/// Where Debian and its kin keep the machine-dependent headers, if the machine has them.
pub(super) fn multiarch_dirs() -> Vec<&'static Path> {
    ["/usr/include/x86_64-linux-gnu", "/usr/include/i386-linux-gnu"]
        .map(Path::new)
        .into_iter()
        .filter(|dir| dir.is_dir())
        .collect()
}
