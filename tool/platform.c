/* platform.c - what the tool needs from the system beyond the C library: kinds of files, absolute
   paths, terminals. On unknown systems nothing is a directory or a terminal, and paths stay as they
   are: the tool works, with less helpful messages and without progress. */
#include "tool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__unix__) || defined(__APPLE__) || defined(__wasi__)
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Links are followed: the kind is that of their target. */
path_kind kind_of_path(const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0) { return PATH_MISSING; }
    return S_ISREG(st.st_mode) ? PATH_FILE : S_ISDIR(st.st_mode) ? PATH_DIRECTORY : PATH_SPECIAL;
}

void become(const char *program, char **argv)
{
    const char *slash = strrchr(argv[0], '/');
    size_t n = slash ? (size_t)(slash - argv[0]) + 1 : 0;
    char *path = (char *)grow_list(NULL, 0, n + strlen(program) + 1);
    memcpy(path, argv[0], n);
    strcpy(path + n, program);
#if !defined(__wasi__) /* which cannot start programs */
    slash ? execv(path, argv) : execvp(path, argv);
#endif
}

bool is_same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}
#elif defined(_WIN32)
#include <fcntl.h>
#include <io.h>
#include <string.h>
#include <sys/types.h>
#include <sys/stat.h>

path_kind kind_of_path(const char *path)
{
    struct _stat64 st;
    if (_stat64(path, &st) != 0) { return PATH_MISSING; }
    return (st.st_mode & _S_IFMT) == _S_IFREG   ? PATH_FILE
           : (st.st_mode & _S_IFMT) == _S_IFDIR ? PATH_DIRECTORY
                                                : PATH_SPECIAL;
}

void become(const char *program, char **argv)
{
    (void)program;
    (void)argv;
}

bool is_same_file(const char *a, const char *b)
{
    return _stricmp(absolute_path(a), absolute_path(b)) == 0;
}
#else
#include <string.h>

path_kind kind_of_path(const char *path)
{
    (void)path;
    return PATH_MISSING;
}

void become(const char *program, char **argv)
{
    (void)program;
    (void)argv;
}

bool is_same_file(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}
#endif

bool is_path_separator(char c)
{
#if defined(_WIN32)
    return c == '/' || c == '\\';
#else
    return c == '/';
#endif
}

const char *name_in_path(const char *path)
{
    const char *name = path;
    for (; *path; path++) {
        if (is_path_separator(*path)) { name = path + 1; }
    }
    return name;
}

bool is_absolute_path(const char *path, size_t len)
{
#if defined(_WIN32)
    if (len >= 2 && path[1] == ':') { return true; }
#endif
    return len && is_path_separator(path[0]);
}

bool file_size(const char *path, uint64_t *size)
{
    taco_source src;
    if (kind_of_path(path) != PATH_FILE || taco_source_file(&src, path, NULL) != TACO_OK) {
        return false;
    }
    *size = src.size;
    if (src.close) { src.close(src.ctx); }
    return true;
}

void keep_printed_bytes(void)
{
#if defined(_WIN32)
    (void)_setmode(_fileno(stdout), _O_BINARY);
#endif
}

double seconds_now(void)
{
#if defined(CLOCK_MONOTONIC) && !defined(_WIN32) /* where clock() is wall time */
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) == 0) {
        return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
    }
#endif
    return (double)clock() / CLOCKS_PER_SEC;
}

const char *absolute_path(const char *path)
{
    /* allocated by the system */
    char *full = NULL;
    const char *out = path;
#if defined(__unix__) || defined(__APPLE__)
    full = path ? realpath(path, NULL) : NULL;
#elif defined(_WIN32)
    full = path && kind_of_path(path) != PATH_MISSING ? _fullpath(NULL, path, 0) : NULL;
#endif
    if (full) { out = copy_text(full); }
    free(full);
    return out;
}

bool on_terminal(void)
{
#if defined(__unix__) || defined(__APPLE__)
    return isatty(2) != 0;
#else
    return false;
#endif
}

bool stdout_is_terminal(void)
{
#if defined(__unix__) || defined(__APPLE__)
    return isatty(1) != 0;
#else
    return false;
#endif
}

size_t terminal_width(void)
{
    const char *columns = getenv("COLUMNS");
    uint64_t n = 0;
#if defined(TIOCGWINSZ)
    struct winsize size;
    if (ioctl(1, TIOCGWINSZ, &size) == 0) { n = size.ws_col; }
#endif
    if (!n && columns && !parse_number(columns, &n)) { n = 0; }
    return n >= 20 && n < 10000 ? (size_t)n : 80;
}

bool use_color(const arguments *a)
{
    const char *none = getenv("NO_COLOR"), *term = getenv("TERM");
    if (a->color && strcmp(a->color, "auto") != 0) { return strcmp(a->color, "always") == 0; }
    return stdout_is_terminal() && !(none && *none) && term && strcmp(term, "dumb") != 0;
}

/* ---- other programs ---- */

#if (defined(__unix__) || defined(__APPLE__)) && !defined(__wasi__) && !defined(__EMSCRIPTEN__)
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* Runs in the child: its output goes to the pipe, its input is empty, and messages are dropped. */
static void become_program(const char *const *words, const int ends[2], unsigned seconds)
{
    struct rlimit limit;
    int nowhere = open("/dev/null", O_RDWR);
    limit.rlim_cur = limit.rlim_max = seconds;
    if (nowhere >= 0 && dup2(nowhere, 0) >= 0 && dup2(nowhere, 2) >= 0 && dup2(ends[1], 1) >= 0) {
        close(ends[0]);
        setrlimit(RLIMIT_CPU, &limit);
        /* also ends a program that is only waiting */
        alarm(3 * seconds);
        execvp(words[0], (char *const *)words);
    }
    _exit(127);
}

/* Reads to the end; NULL if there are more than `most` bytes, or none. */
static char *read_pipe(int from, size_t most, size_t *len)
{
    char *text = (char *)malloc(most + 1);
    ssize_t n = 1;
    *len = 0;
    while (text && n > 0 && *len <= most) {
        n = read(from, text + *len, most + 1 - *len);
        *len += n > 0 ? (size_t)n : 0;
    }
    if (n == 0 && *len && *len <= most) { return text; }
    free(text);
    return NULL;
}

char *run_program(const char *const *words, size_t most, unsigned seconds, size_t *len)
{
    int ends[2], status = -1;
    char *text = NULL;
    pid_t child;
    if (pipe(ends) != 0) { return NULL; }
    fflush(stdout);
    fflush(stderr);
    child = fork();
    if (child == 0) { become_program(words, ends, seconds); }
    close(ends[1]);
    if (child > 0) {
        text = read_pipe(ends[0], most, len);
        close(ends[0]);
        /* it may still be writing, and nobody reads any more */
        if (!text) { kill(child, SIGTERM); }
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    } else {
        close(ends[0]);
    }
    if (status == 0) { return text; }
    free(text);
    return NULL;
}
#else
char *run_program(const char *const *words, size_t most, unsigned seconds, size_t *len)
{
    (void)words;
    (void)most;
    (void)seconds;
    (void)len;
    return NULL;
}
#endif

/* ---- directories ---- */

#if defined(__unix__) || defined(__APPLE__) || defined(__wasi__)
#include <dirent.h>

void visit_directory(const char *path, bool (*visit)(void *ctx, const char *name), void *ctx)
{
    DIR *d = opendir(path);
    const struct dirent *e;
    bool more = d != NULL;
    while (more && (e = readdir(d)) != NULL) {
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) {
            more = visit(ctx, e->d_name);
        }
    }
    if (d) { closedir(d); }
}

static bool is_own_directory(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static uint64_t size_of_file(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
}
#elif defined(_WIN32)

void visit_directory(const char *path, bool (*visit)(void *ctx, const char *name), void *ctx)
{
    struct __finddata64_t e;
    char *pattern = (char *)grow_list(NULL, 0, strlen(path) + 3);
    intptr_t d;
    bool more;
    sprintf(pattern, "%s/*", path);
    d = _findfirst64(pattern, &e);
    for (more = d != -1; more; more = more && _findnext64(d, &e) == 0) {
        if (strcmp(e.name, ".") != 0 && strcmp(e.name, "..") != 0) { more = visit(ctx, e.name); }
    }
    if (d != -1) { _findclose(d); }
    free(pattern);
}

/* 0x400: a link or a junction, FILE_ATTRIBUTE_REPARSE_POINT. */
static bool is_own_directory(const char *path)
{
    struct __finddata64_t e;
    const intptr_t d = _findfirst64(path, &e);
    if (d == -1) { return false; }
    _findclose(d);
    return (e.attrib & _A_SUBDIR) && !(e.attrib & 0x400);
}

static uint64_t size_of_file(const char *path)
{
    struct _stat64 st;
    return _stat64(path, &st) == 0 && (st.st_mode & _S_IFMT) == _S_IFREG ? (uint64_t)st.st_size : 0;
}
#else
void visit_directory(const char *path, bool (*visit)(void *ctx, const char *name), void *ctx)
{
    (void)path;
    (void)visit;
    (void)ctx;
}

static bool is_own_directory(const char *path)
{
    (void)path;
    return false;
}

static uint64_t size_of_file(const char *path)
{
    uint64_t size = 0;
    return file_size(path, &size) ? size : 0;
}
#endif

/* visit_directory's context when file sizes are added up. */
typedef struct summed_tree {
    const char *path;
    bool hidden;
    uint64_t size;
} summed_tree;

static bool add_entry(void *ctx, const char *name)
{
    summed_tree *t = (summed_tree *)ctx;
    char *path;
    if (name[0] == '.' && !t->hidden) { return true; }
    path = (char *)grow_list(NULL, 0, strlen(t->path) + strlen(name) + 2);
    sprintf(path, "%s/%s", t->path, name);
    t->size += size_of_file(path);
    if (is_own_directory(path)) { t->size += tree_size(path, t->hidden); }
    free(path);
    return true;
}

uint64_t tree_size(const char *path, bool hidden)
{
    summed_tree t;
    t.path = path;
    t.hidden = hidden;
    t.size = 0;
    visit_directory(path, add_entry, &t);
    return t.size;
}
