//! `__sync_…` and `__atomic_…`, which `stdatomic.h` is made of.

use super::Atomic::{
    Clear, CompareAndSwap, CompareAndSwapValue, CompareExchange, CompareExchangeValue, Exchange,
    ExchangeValue, Fence, FetchThen, Load, LoadValue, LockFree, Store, StoreValue, TestAndSet, ThenFetch,
};
use super::Operation::{Add, And, Nand, Or, Sub, Xor};
use super::{Atomic, Model, Row, Syntax};

const fn atomic(name: &'static str, operation: Atomic) -> Row {
    Row::new(name, "", Model::Checker(Syntax::Atomic(operation)))
}

pub(super) const ROWS: &[Row] = &[
    atomic("__sync_fetch_and_add", FetchThen(Add)).sized(),
    atomic("__sync_fetch_and_sub", FetchThen(Sub)).sized(),
    atomic("__sync_fetch_and_and", FetchThen(And)).sized(),
    atomic("__sync_fetch_and_or", FetchThen(Or)).sized(),
    atomic("__sync_fetch_and_xor", FetchThen(Xor)).sized(),
    atomic("__sync_fetch_and_nand", FetchThen(Nand)).sized(),
    atomic("__sync_add_and_fetch", ThenFetch(Add)).sized(),
    atomic("__sync_sub_and_fetch", ThenFetch(Sub)).sized(),
    atomic("__sync_and_and_fetch", ThenFetch(And)).sized(),
    atomic("__sync_or_and_fetch", ThenFetch(Or)).sized(),
    atomic("__sync_xor_and_fetch", ThenFetch(Xor)).sized(),
    atomic("__sync_nand_and_fetch", ThenFetch(Nand)).sized(),
    atomic("__sync_bool_compare_and_swap", CompareAndSwap).sized(),
    atomic("__sync_val_compare_and_swap", CompareAndSwapValue).sized(),
    atomic("__sync_lock_test_and_set", ExchangeValue).sized(),
    atomic("__sync_lock_release", Clear).sized(),
    atomic("__sync_synchronize", Fence),
    atomic("__atomic_load", Load),
    atomic("__atomic_load_n", LoadValue),
    atomic("__atomic_store", Store),
    atomic("__atomic_store_n", StoreValue),
    atomic("__atomic_exchange", Exchange),
    atomic("__atomic_exchange_n", ExchangeValue),
    atomic("__atomic_compare_exchange", CompareExchange),
    atomic("__atomic_compare_exchange_n", CompareExchangeValue),
    atomic("__atomic_fetch_add", FetchThen(Add)),
    atomic("__atomic_fetch_sub", FetchThen(Sub)),
    atomic("__atomic_fetch_and", FetchThen(And)),
    atomic("__atomic_fetch_or", FetchThen(Or)),
    atomic("__atomic_fetch_xor", FetchThen(Xor)),
    atomic("__atomic_fetch_nand", FetchThen(Nand)),
    atomic("__atomic_add_fetch", ThenFetch(Add)),
    atomic("__atomic_sub_fetch", ThenFetch(Sub)),
    atomic("__atomic_and_fetch", ThenFetch(And)),
    atomic("__atomic_or_fetch", ThenFetch(Or)),
    atomic("__atomic_xor_fetch", ThenFetch(Xor)),
    atomic("__atomic_nand_fetch", ThenFetch(Nand)),
    atomic("__atomic_test_and_set", TestAndSet),
    atomic("__atomic_clear", Clear),
    atomic("__atomic_thread_fence", Fence),
    atomic("__atomic_signal_fence", Fence),
    atomic("__atomic_always_lock_free", LockFree),
    atomic("__atomic_is_lock_free", LockFree),
];
