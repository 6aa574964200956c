/* A library to be loaded before the C library (LD_PRELOAD): the Nth call that changes a folder fails, or the process is killed at it.
 * SQLite's calls and Python's pass here alike. Until attack_arm() is called every call goes through uncounted. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { COUNT = 0, KILL = 1, FAIL_ONCE = 2, FAIL_FROM = 3 };

static char under[PATH_MAX];
static int how, chosen_error;
static long at;
static atomic_long seen;

/* From now on calls below `folder` are counted; the `number`th fails with `error`, alone or with all after it, or kills. */
void attack_arm(const char *folder, long number, int way, int error) {
    strncpy(under, folder, sizeof under - 1);
    at = number, how = way, chosen_error = error;
    atomic_store(&seen, 0);
}

long attack_seen(void) { return atomic_load(&seen); }

static int is_below(const char *path) {
    const size_t length = strlen(under);
    return length && strncmp(path, under, length) == 0 && (path[length] == '/' || path[length] == 0);
}

/* Whether this call is to fail; errno is set. */
static int fails(void) {
    const long number = atomic_fetch_add(&seen, 1) + 1;
    if (!at || number < at || (number > at && how != FAIL_FROM)) return 0;
    if (how == KILL) kill(getpid(), SIGKILL), pause();
    errno = chosen_error;
    return how != COUNT;
}

static int path_of(int fd, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t length = readlink(link, path, PATH_MAX - 1);
    path[length < 0 ? 0 : length] = 0;
    return length > 0;
}

static int fails_at_fd(int fd) {
    char path[PATH_MAX];
    const int before = errno;
    if (!under[0] || !path_of(fd, path) || !is_below(path)) return errno = before, 0;
    return errno = before, fails();
}

static int fails_at(int folder, const char *path) {
    if (!under[0] || !path) return 0;
    if (path[0] == '/') return is_below(path) && fails();
    return folder != AT_FDCWD && fails_at_fd(folder);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define CHANGES(flags) ((flags) & (O_CREAT | O_TRUNC))
#define MODE(flags)                      \
    mode_t mode = 0;                     \
    if ((flags) & (O_CREAT | O_TMPFILE)) { \
        va_list list;                    \
        va_start(list, flags);           \
        mode = va_arg(list, mode_t);     \
        va_end(list);                    \
    }

int open(const char *path, int flags, ...) {
    MODE(flags)
    return CHANGES(flags) && fails_at(AT_FDCWD, path) ? -1 : REAL(open)(path, flags, mode);
}
int open64(const char *path, int flags, ...) {
    MODE(flags)
    return CHANGES(flags) && fails_at(AT_FDCWD, path) ? -1 : REAL(open64)(path, flags, mode);
}
int openat(int folder, const char *path, int flags, ...) {
    MODE(flags)
    return CHANGES(flags) && fails_at(folder, path) ? -1 : REAL(openat)(folder, path, flags, mode);
}
int openat64(int folder, const char *path, int flags, ...) {
    MODE(flags)
    return CHANGES(flags) && fails_at(folder, path) ? -1 : REAL(openat64)(folder, path, flags, mode);
}
ssize_t write(int fd, const void *data, size_t size) { return fails_at_fd(fd) ? -1 : REAL(write)(fd, data, size); }
ssize_t pwrite(int fd, const void *data, size_t size, off_t to) { return fails_at_fd(fd) ? -1 : REAL(pwrite)(fd, data, size, to); }
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t to) {
    return fails_at_fd(fd) ? -1 : REAL(pwrite64)(fd, data, size, to);
}
int fsync(int fd) { return fails_at_fd(fd) ? -1 : REAL(fsync)(fd); }
int fdatasync(int fd) { return fails_at_fd(fd) ? -1 : REAL(fdatasync)(fd); }
int ftruncate(int fd, off_t size) { return fails_at_fd(fd) ? -1 : REAL(ftruncate)(fd, size); }
int ftruncate64(int fd, off64_t size) { return fails_at_fd(fd) ? -1 : REAL(ftruncate64)(fd, size); }
int rename(const char *from, const char *to) { return fails_at(AT_FDCWD, to) ? -1 : REAL(rename)(from, to); }
int renameat2(int a, const char *from, int b, const char *to, unsigned flags) {
    return fails_at(b, to) ? -1 : REAL(renameat2)(a, from, b, to, flags);
}
int mkdir(const char *path, mode_t mode) { return fails_at(AT_FDCWD, path) ? -1 : REAL(mkdir)(path, mode); }
int unlink(const char *path) { return fails_at(AT_FDCWD, path) ? -1 : REAL(unlink)(path); }
int unlinkat(int folder, const char *path, int flags) { return fails_at(folder, path) ? -1 : REAL(unlinkat)(folder, path, flags); }
int rmdir(const char *path) { return fails_at(AT_FDCWD, path) ? -1 : REAL(rmdir)(path); }
