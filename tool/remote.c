/* remote.c - files of HTTP servers and S3 as sources of bytes, see remote.h. From the bottom up:
   the functions of libcurl, the request for a URL, one transfer and its callbacks, several
   transfers in parallel with retries, and the source that the library reads from. */
#include "remote.h"

#include <curl/curl.h>
#ifdef REMOTE_LOADS_CURL
#include <dlfcn.h>
#endif
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Ranges with a smaller gap than this are read in one request. */
#define REMOTE_GAP 32768
/* How often a range is requested, and milliseconds to wait before the second try, doubled for each
   further one. */
#define REMOTE_TRIES 5
#define REMOTE_WAIT  200
#define REMOTE_WIDTH 16

/* ---- libcurl ---- */

/* Functions of libcurl that are used here. */
typedef struct curl_calls {
    CURLcode (*global_init)(long flags);
    curl_version_info_data *(*version_info)(CURLversion which);
    int (*strnequal)(const char *a, const char *b, size_t n);
    struct curl_slist *(*slist_append)(struct curl_slist *list, const char *text);
    void (*slist_free_all)(struct curl_slist *list);
    CURL *(*easy_init)(void);
    CURLcode (*easy_setopt)(CURL *easy, CURLoption option, ...);
    CURLcode (*easy_getinfo)(CURL *easy, CURLINFO info, ...);
    const char *(*easy_strerror)(CURLcode code);
    void (*easy_cleanup)(CURL *easy);
    CURLM *(*multi_init)(void);
    CURLMcode (*multi_setopt)(CURLM *multi, CURLMoption option, ...);
    CURLMcode (*multi_add_handle)(CURLM *multi, CURL *easy);
    CURLMcode (*multi_remove_handle)(CURLM *multi, CURL *easy);
    CURLMcode (*multi_perform)(CURLM *multi, int *running);
    CURLMcode (*multi_poll)(CURLM *multi, struct curl_waitfd *more, unsigned n, int ms, int *ready);
    CURLMsg *(*multi_info_read)(CURLM *multi, int *left);
    CURLMcode (*multi_cleanup)(CURLM *multi);
} curl_calls;

#ifdef REMOTE_LOADS_CURL
/* Loads it by the first name that works; names differ between systems. It stays loaded, as its exit
   handlers must still be there. */
static void *load_library(char *why, size_t n)
{
    static const char *const names[] = {
#ifdef __APPLE__
        "libcurl.4.dylib",
        "/usr/lib/libcurl.4.dylib",
        "libcurl.dylib",
#else
        "libcurl.so.4",
        "libcurl-gnutls.so.4",
        "libcurl.so",
#endif
    };
    void *library = NULL;
    size_t i;
    for (i = 0; i < sizeof names / sizeof *names && !library; i++) {
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        /* the error for the first name is the most useful, as the others are less common */
        if (!library && i == 0) {
            const char *reason = dlerror();
            snprintf(why, n, "it needs libcurl: %.160s", reason ? reason : names[i]);
        }
    }
    return library;
}

/* Looks up a function; `to` is the address of its pointer, as C does not convert object pointers to
   function pointers. */
static bool look_up(void *library, const char *name, void *to)
{
    void *found = dlsym(library, name);
    memcpy(to, &found, sizeof found);
    return found != NULL;
}

/* A library older than the headers would ignore the options that restrict redirects to http and
   https. */
static bool is_new_enough(const curl_calls *c, char *why, size_t n)
{
    const curl_version_info_data *have = c->version_info(CURLVERSION_NOW);
#if CURL_AT_LEAST_VERSION(7, 85, 0)
    const unsigned least = 0x075500;
#else
    const unsigned least = 0x074B00;
#endif
    if (have->version_num >= least) { return true; }
    snprintf(why, n, "it needs libcurl %u.%u or newer, there is %.20s", least >> 16,
             least >> 8 & 255, have->version);
    return false;
}

/* Loads libcurl, or writes the reason why it cannot be loaded to why[n]. */
static bool load_calls(curl_calls *c, char *why, size_t n)
{
    void *library = load_library(why, n);
    if (!library) { return false; }
#define LOOK_UP(name) look_up(library, "curl_" #name, &c->name)
    if (!(LOOK_UP(global_init) && LOOK_UP(version_info) && LOOK_UP(strnequal) &&
          LOOK_UP(slist_append) && LOOK_UP(slist_free_all) && LOOK_UP(easy_init) &&
          LOOK_UP(easy_setopt) && LOOK_UP(easy_getinfo) && LOOK_UP(easy_strerror) &&
          LOOK_UP(easy_cleanup) && LOOK_UP(multi_init) && LOOK_UP(multi_setopt) &&
          LOOK_UP(multi_add_handle) && LOOK_UP(multi_remove_handle) && LOOK_UP(multi_perform) &&
          LOOK_UP(multi_poll) && LOOK_UP(multi_info_read) && LOOK_UP(multi_cleanup))) {
        snprintf(why, n, "it needs a newer libcurl than is installed");
        return false;
    }
#undef LOOK_UP
    return is_new_enough(c, why, n);
}
#else
static bool load_calls(curl_calls *c, char *why, size_t n)
{
    static const curl_calls linked = {
        curl_global_init,      curl_version_info,        curl_strnequal,     curl_slist_append,
        curl_slist_free_all,   curl_easy_init,           curl_easy_setopt,   curl_easy_getinfo,
        curl_easy_strerror,    curl_easy_cleanup,        curl_multi_init,    curl_multi_setopt,
        curl_multi_add_handle, curl_multi_remove_handle, curl_multi_perform, curl_multi_poll,
        curl_multi_info_read,  curl_multi_cleanup,
    };
    (void)why;
    (void)n;
    *c = linked;
    return true;
}
#endif

void remote_start(void)
{
    curl_calls c;
    char why[256];
    if (load_calls(&c, why, sizeof why)) { c.global_init(CURL_GLOBAL_DEFAULT); }
}

const char *remote_version(void)
{
    curl_calls c;
    char why[256];
    return load_calls(&c, why, sizeof why) ? c.version_info(CURLVERSION_NOW)->version : NULL;
}

/* ---- open files and transfers ---- */

/* One open file. */
typedef struct remote_file {
    remote_client *client;
    /* the URL to request, after redirects; and the original one */
    char *url, *first_url;
    /* for messages: without passwords and signatures */
    char *name;
    /* "KEY:SECRET", libcurl's signing parameters, and the session token; NULL for other servers and
       unsigned requests */
    char *credentials, *sigv4, *token;
    uint64_t size;
    char etag[128];
    /* the first bytes, or all of them */
    uint8_t *head;
    size_t head_len;
} remote_file;

/* A range being read. */
typedef struct transfer {
    remote_file *file;
    const curl_calls *calls;
    CURL *curl;
    struct curl_slist *headers;
    uint64_t offset;
    /* `len` bytes are wanted, `got` have been received */
    uint8_t *dst;
    size_t len, got;
    /* from the response */
    char range_header[96], etag[128];
    /* opening: the first request of a file, whose size is unknown; dst grows if all of it is
       sent */
    bool opening, whole, done;
    char why[CURL_ERROR_SIZE];
} transfer;

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

bool remote_is_url(const char *path)
{
    return starts_with(path, "https://") || starts_with(path, "http://") ||
           starts_with(path, "s3://");
}

/* ---- from a path to a request ---- */

/* printf into new memory; NULL if out of memory. */
static char *text_of(const char *format, ...)
{
    va_list args;
    char *out;
    int n;
    va_start(args, format);
    n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    out = n < 0 ? NULL : (char *)malloc((size_t)n + 1);
    if (!out) { return NULL; }
    va_start(args, format);
    vsnprintf(out, (size_t)n + 1, format, args);
    va_end(args);
    return out;
}

/* An environment variable; NULL if unset or empty. */
static const char *variable(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

/* NO, FALSE, OFF or 0, case ignored, as in GDAL's settings. */
static bool is_no(const char *value)
{
    return !strcasecmp(value, "no") || !strcasecmp(value, "false") || !strcasecmp(value, "off") ||
           !strcmp(value, "0");
}

/* Escapes characters that are not allowed in URLs; all: everything except letters, digits, -._~ and
   '/', for object keys, which may contain '?' and '%'. */
static char *escaped(const char *text, bool all)
{
    static const char never[] = " \"<>\\^`{|}";
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    char *out = (char *)malloc(3 * strlen(text) + 1), *to = out;
    for (; out && *text; text++) {
        unsigned char c = (unsigned char)*text;
        bool as_it_is = all ? strchr(plain, c) != NULL : c > 32 && c < 127 && !strchr(never, c);
        to += as_it_is ? sprintf(to, "%c", c) : sprintf(to, "%%%02X", c);
    }
    if (out) { *to = 0; }
    return out;
}

/* A path for messages: without user and password, and without the query, which may be a
   signature. */
static char *shown(const char *path)
{
    const char *host = strstr(path, "://") + 3;
    size_t n = strcspn(host, "/?#");
    const char *at = (const char *)memchr(host, '@', n);
    return text_of("%.*s%.*s", (int)(host - path), path, (int)strcspn(at ? at + 1 : host, "?#"),
                   at ? at + 1 : host);
}

/* ---- the files of the AWS tools: "[profile NAME]" or "[NAME]", then "key = value" lines ---- */

/* A copy of a text without spaces around it. */
static char *trimmed(const char *text, size_t n)
{
    while (n && strchr(" \t\r\n", text[n - 1])) {
        n--;
    }
    for (; n && (*text == ' ' || *text == '\t'); n--) {
        text++;
    }
    return text_of("%.*s", (int)n, text);
}

/* Whether a line "[SECTION]" begins the part of a profile. */
static bool is_profile(const char *line, const char *profile)
{
    size_t n = strlen(profile);
    line++;
    if (starts_with(line, "profile ")) { line += strlen("profile "); }
    return strncmp(line, profile, n) == 0 && line[n] == ']';
}

/* The value of a key of a profile in one file; NULL if it has none. The caller frees it. */
static char *value_in_file(const char *path, const char *profile, const char *key)
{
    FILE *file = path ? fopen(path, "r") : NULL;
    char line[4096], *value = NULL;
    bool inside = false;
    while (file && !value && fgets(line, sizeof line, file)) {
        char *equals = strchr(line, '=');
        if (line[0] == '[') {
            inside = is_profile(line, profile);
        } else if (inside && equals && line[0] != '#' && line[0] != ';') {
            char *name = trimmed(line, (size_t)(equals - line));
            if (name && strcmp(name, key) == 0) { value = trimmed(equals + 1, strlen(equals + 1)); }
            free(name);
        }
    }
    if (file) { fclose(file); }
    if (value && !*value) {
        free(value);
        value = NULL;
    }
    return value;
}

/* The same from ~/.aws/credentials, or else from ~/.aws/config, for the profile named by
   AWS_PROFILE. */
static char *profile_value(const char *key)
{
    static const char *const variables[] = {"AWS_SHARED_CREDENTIALS_FILE", "AWS_CONFIG_FILE"};
    static const char *const names[] = {"credentials", "config"};
    const char *profile = variable("AWS_PROFILE"), *home = variable("HOME");
    char *value = NULL;
    size_t i;
    if (!profile) { profile = variable("AWS_DEFAULT_PROFILE"); }
    if (!home) { home = variable("USERPROFILE"); }
    for (i = 0; i < 2 && !value; i++) {
        const char *given = variable(variables[i]);
        char *path = given  ? text_of("%s", given)
                     : home ? text_of("%s/.aws/%s", home, names[i])
                            : NULL;
        value = value_in_file(path, profile ? profile : "default", key);
        free(path);
    }
    return value;
}

/* An environment variable, or else the profile's value; the caller frees it. */
static char *setting(const char *name, const char *key)
{
    return variable(name) ? text_of("%s", variable(name)) : profile_value(key);
}

/* Sets the credentials for signing a file's requests, all from the environment or all from the
   profile, never mixed. */
static void use_credentials(remote_file *f, const char *region)
{
    const char *key = variable("AWS_ACCESS_KEY_ID"), *secret = variable("AWS_SECRET_ACCESS_KEY");
    const char *token = variable("AWS_SESSION_TOKEN");
    if (variable("AWS_NO_SIGN_REQUEST")) { return; }
    if (key && secret) {
        f->credentials = text_of("%s:%s", key, secret);
        f->token = token ? text_of("%s", token) : NULL;
    } else {
        char *id = profile_value("aws_access_key_id");
        char *hidden = profile_value("aws_secret_access_key");
        if (id && hidden) {
            f->credentials = text_of("%s:%s", id, hidden);
            f->token = profile_value("aws_session_token");
        }
        free(id);
        free(hidden);
    }
    if (f->credentials) { f->sigv4 = text_of("aws:amz:%s:s3", region); }
}

/* The configured S3 server, NULL for Amazon's; the caller frees it. GDAL's variable also counts, as
   users may have set it for the paths that they pass to GDAL. */
static char *endpoint_of_s3(void)
{
    const char *mine = variable("AWS_ENDPOINT_URL_S3"), *gdals = variable("AWS_S3_ENDPOINT");
    const char *https = variable("AWS_HTTPS");
    char *general = mine ? text_of("%s", mine) : setting("AWS_ENDPOINT_URL", "endpoint_url");
    if (general || !gdals) { return general; }
    if (strstr(gdals, "://")) { return text_of("%s", gdals); }
    return text_of("%s://%s", https && is_no(https) ? "http" : "https", gdals);
}

/* s3://bucket/key: its URL, and how it is signed. */
static void use_s3(remote_file *f, const char *path)
{
    char *region = setting(variable("AWS_REGION") ? "AWS_REGION" : "AWS_DEFAULT_REGION", "region");
    char *object = escaped(path + strlen("s3://"), true);
    char *endpoint = endpoint_of_s3();
    if (!region) { region = text_of("us-east-1"); }
    if (object && endpoint) {
        size_t n = strlen(endpoint);
        f->url =
            text_of("%.*s/%s", (int)(n && endpoint[n - 1] == '/' ? n - 1 : n), endpoint, object);
    } else if (object && region) {
        f->url = text_of("https://s3.%s.amazonaws.com/%s", region, object);
    }
    free(object);
    free(endpoint);
    if (region) { use_credentials(f, region); }
    free(region);
}

/* Records a failure. The first one is kept until something is read, as it causes later ones. */
static void failed(remote_file *f, const char *why)
{
    if (f->client->failure[0]) { return; }
    snprintf(f->client->failure, sizeof f->client->failure, "%.300s: %.200s", f->name, why);
}

/* ---- one transfer ---- */

/* CURLOPT_HEADERFUNCTION. Only headers of the last response count, as redirects have some too. */
static size_t take_header(char *text, size_t size, size_t n, void *ctx)
{
    transfer *t = (transfer *)ctx;
    n *= size;
    if (n > 5 && starts_with(text, "HTTP/")) { t->range_header[0] = t->etag[0] = 0; }
    if (n > 14 && t->calls->strnequal(text, "content-range:", 14)) {
        snprintf(t->range_header, sizeof t->range_header, "%.*s", (int)(n - 14), text + 14);
    }
    if (n > 5 && t->calls->strnequal(text, "etag:", 5)) {
        snprintf(t->etag, sizeof t->etag, "%.*s", (int)(n - 5), text + 5);
        t->etag[strcspn(t->etag, "\r\n")] = 0;
    }
    return n;
}

/* Makes room for `more` bytes of a file that is sent as a whole. */
static bool grow(transfer *t, size_t more)
{
    size_t len = t->len;
    uint8_t *grown;
    if (more > REMOTE_WHOLE || t->got > REMOTE_WHOLE - more) { return false; }
    while (len < t->got + more) {
        len *= 2;
    }
    grown = (uint8_t *)realloc(t->dst, len);
    if (!grown) { return false; }
    t->dst = grown;
    t->len = len;
    return true;
}

/* CURLOPT_WRITEFUNCTION. The body of an error is dropped; bytes that were not requested end the
   transfer. */
static size_t take_bytes(char *bytes, size_t size, size_t n, void *ctx)
{
    transfer *t = (transfer *)ctx;
    long status = 0;
    n *= size;
    t->calls->easy_getinfo(t->curl, CURLINFO_RESPONSE_CODE, &status);
    if (status >= 300) { return n; }
    if (status == 200 && t->opening && !t->whole) {
        /* a second try requested only the missing bytes, but gets everything */
        t->whole = true;
        t->got = 0;
    }
    if (status != (t->whole ? 200 : 206)) { return 0; }
    if (n > t->len - t->got && !(t->whole && grow(t, n))) { return 0; }
    memcpy(t->dst + t->got, bytes, n);
    t->got += n;
    t->file->client->bytes += n;
    return n;
}

/* libcurl options of every request. */
static void set_common(transfer *t, CURL *c)
{
    CURLcode (*const setopt)(CURL *, CURLoption, ...) = t->calls->easy_setopt;
    setopt(c, CURLOPT_URL, t->file->url);
    setopt(c, CURLOPT_NOSIGNAL, 1L);
    setopt(c, CURLOPT_FOLLOWLOCATION, 1L);
    setopt(c, CURLOPT_MAXREDIRS, 5L);
#if CURL_AT_LEAST_VERSION(7, 85, 0)
    setopt(c, CURLOPT_PROTOCOLS_STR, "http,https");
    setopt(c, CURLOPT_REDIR_PROTOCOLS_STR,
           starts_with(t->file->url, "https:") ? "https" : "http,https");
#else
    setopt(c, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
    setopt(c, CURLOPT_REDIR_PROTOCOLS,
           starts_with(t->file->url, "https:") ? (long)CURLPROTO_HTTPS
                                               : (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
    setopt(c, CURLOPT_CONNECTTIMEOUT, 20L);
    /* a connection without data for 30 s is considered broken */
    setopt(c, CURLOPT_LOW_SPEED_LIMIT, 1L);
    setopt(c, CURLOPT_LOW_SPEED_TIME, 30L);
    setopt(c, CURLOPT_NETRC, (long)CURL_NETRC_OPTIONAL);
    setopt(c, CURLOPT_USERAGENT, "taco/" TACO_VERSION);
    setopt(c, CURLOPT_HEADERFUNCTION, take_header);
    setopt(c, CURLOPT_HEADERDATA, t);
    setopt(c, CURLOPT_WRITEFUNCTION, take_bytes);
    setopt(c, CURLOPT_WRITEDATA, t);
    setopt(c, CURLOPT_ERRORBUFFER, t->why);
    setopt(c, CURLOPT_PRIVATE, t);
}

/* Sends the request for the missing part of a range. */
static bool begin_transfer(transfer *t, CURLM *multi)
{
    const char *token = t->file->token;
    char range[64];
    t->curl = t->calls->easy_init();
    if (!t->curl) { return false; }
    set_common(t, t->curl);
    snprintf(range, sizeof range, "%llu-%llu", (unsigned long long)(t->offset + t->got),
             (unsigned long long)(t->offset + t->len - 1));
    t->calls->easy_setopt(t->curl, CURLOPT_RANGE, range);
    if (t->file->credentials) {
        t->calls->easy_setopt(t->curl, CURLOPT_USERPWD, t->file->credentials);
        t->calls->easy_setopt(t->curl, CURLOPT_AWS_SIGV4, t->file->sigv4);
        t->headers = t->calls->slist_append(NULL, "x-amz-content-sha256: UNSIGNED-PAYLOAD");
        if (token) {
            char *line = text_of("x-amz-security-token: %s", token);
            if (line) { t->headers = t->calls->slist_append(t->headers, line); }
            free(line);
        }
        t->calls->easy_setopt(t->curl, CURLOPT_HTTPHEADER, t->headers);
    }
    t->file->client->requests++;
    return t->calls->multi_add_handle(multi, t->curl) == CURLM_OK;
}

static void end_transfer(transfer *t, CURLM *multi)
{
    t->calls->multi_remove_handle(multi, t->curl);
    t->calls->easy_cleanup(t->curl);
    t->calls->slist_free_all(t->headers);
    t->curl = NULL;
    t->headers = NULL;
}

/* ---- results ---- */

typedef enum outcome { DONE_WELL, TRY_AGAIN, GIVE_UP } outcome;

/* Takes the size of the file from the response to an opening request. */
static bool take_size(transfer *t)
{
    const char *slash = strrchr(t->range_header, '/');
    char *end;
    if (t->whole) {
        t->len = t->got;
        t->file->size = t->got;
        return true;
    }
    if (!slash || slash[1] < '0' || slash[1] > '9') { return false; }
    t->file->size = strtoull(slash + 1, &end, 10);
    if (t->len > t->file->size) { t->len = (size_t)t->file->size; }
    return true;
}

static const char *words_of(long status)
{
    switch (status) {
    case 401: return "the server needs a password (401)";
    case 403: return "the server refuses access (403)";
    case 404: return "there is no such file (404)";
    case 410: return "the file is gone (410)";
    case 416: return "the file is shorter than it was, or empty (416)";
    case 429: return "too many requests for the server (429)";
    default: return NULL;
    }
}

/* Whether the same request may succeed later. Not for a host that does not exist, refuses
   connections or has an invalid certificate. */
static bool may_pass(long status, CURLcode code)
{
    if (status >= 400) { return status == 408 || status == 429 || status >= 500; }
    switch (code) {
    case CURLE_OK: /* fewer bytes than requested */
    case CURLE_PARTIAL_FILE:
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_OPERATION_TIMEDOUT:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM: return true;
    default: return false;
    }
}

/* Records the reason of a failed transfer. */
static outcome refused(transfer *t, long status, CURLcode code)
{
    char text[200];
    if (status < 400 && code != CURLE_OK && code != CURLE_WRITE_ERROR) {
        snprintf(text, sizeof text, "%.190s", t->why[0] ? t->why : t->calls->easy_strerror(code));
    } else if (words_of(status)) {
        snprintf(text, sizeof text, "%s", words_of(status));
    } else if (status >= 300) {
        snprintf(text, sizeof text, "the server answers %ld", status);
    } else if (status == 200 && code == CURLE_WRITE_ERROR) {
        snprintf(text, sizeof text,
                 "the server has no ranges, and only files up to %u MB are read without",
                 (unsigned)(REMOTE_WHOLE >> 20));
    } else {
        snprintf(text, sizeof text, "the server sent %llu of %llu bytes",
                 (unsigned long long)t->got, (unsigned long long)t->len);
    }
    failed(t->file, text);
    return may_pass(status, code) ? TRY_AGAIN : GIVE_UP;
}

static outcome judge(transfer *t, CURLcode code)
{
    remote_file *f = t->file;
    long status = 0;
    t->calls->easy_getinfo(t->curl, CURLINFO_RESPONSE_CODE, &status);
    if ((status == 403 || status == 404) && f->first_url) {
        /* the target of a redirect may have expired */
        free(f->url);
        f->url = f->first_url;
        f->first_url = NULL;
        refused(t, status, code);
        return TRY_AGAIN;
    }
    if (status != 200 && status != 206) { return refused(t, status, code); }
    if (f->etag[0] && t->etag[0] && strcmp(f->etag, t->etag) != 0) {
        failed(f, "the file changed while it was read");
        return GIVE_UP;
    }
    if (t->opening && status == 206 && !take_size(t)) {
        failed(f, "the server does not say how large the file is");
        return GIVE_UP;
    }
    if (t->opening && t->whole && code == CURLE_OK) { take_size(t); }
    if (code != CURLE_OK || t->got < t->len) {
        if (t->whole) { t->got = 0; }
        return refused(t, status, code);
    }
    return DONE_WELL;
}

/* ---- several in parallel ---- */

/* Waits until all transfers have ended, and returns the worst result. */
static outcome run_transfers(const curl_calls *calls, CURLM *multi)
{
    outcome worst = DONE_WELL;
    int running = 1, left;
    CURLMsg *m;
    while (running && worst != GIVE_UP) {
        if (calls->multi_perform(multi, &running) != CURLM_OK) { return GIVE_UP; }
        while ((m = calls->multi_info_read(multi, &left)) != NULL) {
            transfer *t = NULL;
            outcome o;
            if (m->msg != CURLMSG_DONE) { continue; }
            calls->easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, (char **)(void *)&t);
            o = judge(t, m->data.result);
            t->done = o == DONE_WELL;
            if (o > worst) { worst = o; }
        }
        if (running) { calls->multi_poll(multi, NULL, 0, 1000, NULL); }
    }
    return worst;
}

/* The functions of libcurl, which is loaded when the first file is opened; NULL if it cannot be. */
static const curl_calls *calls_of(remote_file *f)
{
    remote_client *client = f->client;
    curl_calls *calls = (curl_calls *)client->calls;
    char why[256] = "no memory";
    if (calls) { return calls; }
    calls = (curl_calls *)malloc(sizeof *calls);
    if (!calls || !load_calls(calls, why, sizeof why)) {
        failed(f, why);
        free(calls);
        return NULL;
    }
    client->calls = calls;
    return calls;
}

static CURLM *connections(remote_client *client, const curl_calls *calls)
{
    if (!client->connections) {
        client->connections = calls->multi_init();
        if (client->connections) {
            calls->multi_setopt((CURLM *)client->connections, CURLMOPT_MAX_TOTAL_CONNECTIONS,
                                (long)REMOTE_WIDTH);
        }
    }
    return (CURLM *)client->connections;
}

/* Reads n ranges, and retries those that may succeed later. */
static bool fetch(remote_client *client, transfer *t, size_t n)
{
    const curl_calls *calls = calls_of(t->file);
    CURLM *multi = calls ? connections(client, calls) : NULL;
    outcome o = multi ? TRY_AGAIN : GIVE_UP;
    /* do not wait again for a server that has just failed */
    int tries, most = client->given_up ? 1 : REMOTE_TRIES, wait = REMOTE_WAIT;
    size_t i;
    for (tries = 0; o == TRY_AGAIN && tries < most; tries++) {
        if (tries) {
            calls->multi_poll(multi, NULL, 0, wait, NULL);
            wait *= 2;
        }
        o = DONE_WELL;
        for (i = 0; i < n && o == DONE_WELL; i++) {
            t[i].calls = calls;
            if (!t[i].done && !begin_transfer(&t[i], multi)) { o = GIVE_UP; }
        }
        if (o == DONE_WELL) { o = run_transfers(calls, multi); }
        if (o == DONE_WELL && t->opening) {
            char *led = NULL;
            calls->easy_getinfo(t->curl, CURLINFO_EFFECTIVE_URL, &led);
            if (led && strcmp(led, t->file->url) != 0 && !t->file->credentials) {
                t->file->first_url = t->file->url;
                t->file->url = text_of("%s", led);
            }
        }
        for (i = 0; i < n; i++) {
            if (t[i].curl) { end_transfer(&t[i], multi); }
        }
    }
    if (o == DONE_WELL) { client->failure[0] = 0; }
    client->given_up = o == TRY_AGAIN;
    return o == DONE_WELL;
}

/* ---- the source ---- */

/* Plans the transfer of the range from `offset` on that contains pieces first ... last. */
static void plan_transfer(transfer *t, remote_file *f, const taco_piece *p, size_t first,
                          size_t last)
{
    memset(t, 0, sizeof *t);
    t->file = f;
    t->offset = p[first].offset;
    t->len = (size_t)(p[last].offset - p[first].offset) + p[last].len;
    /* a single piece is read directly, several into a buffer */
    t->dst = first == last ? (uint8_t *)p[first].dst : (uint8_t *)malloc(t->len);
}

/* Copies the part of a piece that is in the head; true if that is all of it. */
static bool from_head(const remote_file *f, const taco_piece *p)
{
    if (p->offset > f->head_len || p->len > f->head_len - p->offset) { return false; }
    memcpy(p->dst, f->head + p->offset, p->len);
    return true;
}

static int by_offset(const void *a, const void *b)
{
    const taco_piece *x = (const taco_piece *)a, *y = (const taco_piece *)b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Assigns pieces, sorted by offset, to transfers, nearby ones to the same; returns the number of
   transfers. part[i] is the transfer of piece i. */
static size_t plan(remote_file *f, const taco_piece *p, size_t n, transfer *t, size_t *part)
{
    size_t i, first = 0, count = 0;
    for (i = 0; i < n; i++) {
        uint64_t end = p[i].offset + p[i].len;
        part[i] = count;
        /* overlapping pieces are read separately */
        if (i + 1 < n && p[i + 1].offset >= end && p[i + 1].offset - end < REMOTE_GAP) { continue; }
        plan_transfer(&t[count++], f, p, first, i);
        first = i + 1;
    }
    return count;
}

/* taco_source.read_many */
static bool read_ranges(void *ctx, const taco_piece *reads, size_t n)
{
    remote_file *f = (remote_file *)ctx;
    taco_piece *p = (taco_piece *)malloc((n + 1) * sizeof *p);
    transfer *t = (transfer *)malloc((n + 1) * sizeof *t);
    size_t *part = (size_t *)malloc((n + 1) * sizeof *part);
    size_t i, left = 0, count = 0;
    bool ok = p && t && part;
    for (i = 0; ok && i < n; i++) {
        if (reads[i].len && !from_head(f, &reads[i])) { p[left++] = reads[i]; }
    }
    if (ok && left) {
        qsort(p, left, sizeof *p, by_offset);
        count = plan(f, p, left, t, part);
        for (i = 0; i < count; i++) {
            ok = ok && t[i].dst;
        }
        ok = ok && fetch(f->client, t, count);
    }
    for (i = 0; i < left && count; i++) {
        transfer *from = &t[part[i]];
        if (ok && from->dst != p[i].dst) {
            memcpy(p[i].dst, from->dst + (p[i].offset - from->offset), p[i].len);
        }
    }
    for (i = 0; i < left && count; i++) {
        transfer *from = &t[part[i]];
        bool last = i + 1 == left || part[i + 1] != part[i];
        if (last && from->dst != p[i].dst) { free(from->dst); }
    }
    free(p);
    free(t);
    free(part);
    return ok;
}

/* taco_source.read */
static bool read_range(void *ctx, uint64_t offset, void *dst, size_t len)
{
    taco_piece one;
    one.offset = offset;
    one.dst = dst;
    one.len = len;
    return read_ranges(ctx, &one, 1);
}

/* taco_source.close */
static void close_file(void *ctx)
{
    remote_file *f = (remote_file *)ctx;
    free(f->url);
    free(f->first_url);
    free(f->name);
    free(f->credentials);
    free(f->sigv4);
    free(f->token);
    free(f->head);
    free(f);
}

/* Requests the first bytes of the file. */
static bool read_head(remote_file *f)
{
    transfer t;
    memset(&t, 0, sizeof t);
    t.file = f;
    t.opening = true;
    t.len = REMOTE_HEAD;
    t.dst = (uint8_t *)malloc(t.len);
    if (!t.dst || !fetch(f->client, &t, 1)) {
        free(t.dst);
        return false;
    }
    f->head = t.dst;
    f->head_len = t.got;
    memcpy(f->etag, t.etag, sizeof f->etag);
    return true;
}

bool remote_open(void *client, const char *path, taco_source *out)
{
    remote_file *f;
    memset(out, 0, sizeof *out);
    if (!remote_is_url(path)) { return taco_source_file(out, path, NULL) == TACO_OK; }
    f = (remote_file *)calloc(1, sizeof *f);
    if (!f) { return false; }
    f->client = (remote_client *)client;
    f->name = shown(path);
    if (starts_with(path, "s3://")) {
        use_s3(f, path);
    } else {
        f->url = escaped(path, false);
    }
    if (!f->name || !f->url || !read_head(f)) {
        close_file(f);
        return false;
    }
    out->ctx = f;
    out->size = f->size;
    out->read = read_range;
    out->read_many = read_ranges;
    out->close = close_file;
    return true;
}

void remote_close(remote_client *client)
{
    const curl_calls *calls = (const curl_calls *)client->calls;
    if (client->connections) { calls->multi_cleanup((CURLM *)client->connections); }
    free(client->calls);
    client->connections = client->calls = NULL;
}
