/* Locks of a program that starts no thread (one that does is refused). The first word of a lock says who holds it: 0 nobody, -1 a
   writer or the owner, else so many readers. A lock that is taken while it is held blocks for ever, fails or counts, by its kind:
   that is left open, and so is the release of a lock that nobody holds. */
static int __nilas_lock_new(void *lock) {
    *(int *)lock = 0;
    return 0;
}
static int __nilas_lock_take(void *lock) {
    if (*(int *)lock) __nilas_not_covered("a lock that is taken while it is held, or was not initialised");
    *(int *)lock = -1;
    return 0;
}
static int __nilas_lock_release(void *lock) {
    if (*(int *)lock != -1) __nilas_not_covered("the release of a lock that nobody holds");
    *(int *)lock = 0;
    return 0;
}
static int __nilas_lock_gone(void *lock) {
    if (*(int *)lock) __nilas_not_covered("the end of a lock that is held, or was not initialised");
    return 0;
}
static int __nilas_pthread_mutex_init(void *lock, const void *attributes) { return __nilas_lock_new(lock); }
static int __nilas_pthread_mutex_destroy(void *lock) { return __nilas_lock_gone(lock); }
static int __nilas_pthread_mutex_lock(void *lock) { return __nilas_lock_take(lock); }
static int __nilas_pthread_mutex_trylock(void *lock) { return __nilas_lock_take(lock); }
static int __nilas_pthread_mutex_timedlock(void *lock, const void *until) { return __nilas_lock_take(lock); }
static int __nilas_pthread_mutex_unlock(void *lock) { return __nilas_lock_release(lock); }
static int __nilas_pthread_spin_init(void *lock, int shared) { return __nilas_lock_new(lock); }
static int __nilas_pthread_spin_destroy(void *lock) { return __nilas_lock_gone(lock); }
static int __nilas_pthread_spin_lock(void *lock) { return __nilas_lock_take(lock); }
static int __nilas_pthread_spin_trylock(void *lock) { return __nilas_lock_take(lock); }
static int __nilas_pthread_spin_unlock(void *lock) { return __nilas_lock_release(lock); }
static int __nilas_mtx_init(void *lock, int kind) { return __nilas_lock_new(lock); }
static void __nilas_mtx_destroy(void *lock) { __nilas_lock_gone(lock); }
static int __nilas_mtx_lock(void *lock) { return __nilas_lock_take(lock); }
static int __nilas_mtx_unlock(void *lock) { return __nilas_lock_release(lock); }
static int __nilas_lock_read(void *lock) {
    if (*(int *)lock < 0 || *(int *)lock == 2147483647) __nilas_not_covered("a lock that is taken while it is held, or was not initialised");
    ++*(int *)lock;
    return 0;
}
static int __nilas_pthread_rwlock_init(void *lock, const void *attributes) { return __nilas_lock_new(lock); }
static int __nilas_pthread_rwlock_destroy(void *lock) { return __nilas_lock_gone(lock); }
static int __nilas_pthread_rwlock_rdlock(void *lock) { return __nilas_lock_read(lock); }
static int __nilas_pthread_rwlock_tryrdlock(void *lock) { return __nilas_lock_read(lock); }
static int __nilas_pthread_rwlock_wrlock(void *lock) { return __nilas_lock_take(lock); }
static int __nilas_pthread_rwlock_trywrlock(void *lock) { return __nilas_lock_take(lock); }
static int __nilas_pthread_rwlock_unlock(void *lock) {
    if (*(int *)lock <= 0) return __nilas_lock_release(lock);
    --*(int *)lock;
    return 0;
}
