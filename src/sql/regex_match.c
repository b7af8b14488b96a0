/* regex_match.c - the machine that runs compiled patterns over texts, in linear time

   Threads wait at instructions that consume a character; all of them step together. A thread that
   reaches an instruction already reached in this step is dropped: the earlier one has priority,
   because a backtracking matcher would have tried it first. So no list is longer than the program.

   Example: after the first character, a|ab over abc has two threads, one that matched and one that
   waits for b. The first has priority, so the second is dropped and a is the match; with `whole` it
   would continue. */
#include "regex.h"
#include "../base/base.h"
#include "../filter/filter.h"

/* Memory in the arena for runs that keep the positions of `groups` groups (0: only whether there is
   a match). It may be used for any number of texts. */
TACO__FN bool taco__regex_init_run(taco__arena *arena, const taco__regex *re, uint32_t groups,
                                   taco__regex_run *out, taco_error *err)
{
    size_t n = (size_t)re->length + 1, cells;
    int k;
    memset(out, 0, sizeof *out);
    out->re = re;
    out->slots = TACO__MIN(groups, re->groups) * 2;
    if (!taco__checked_mul_size(n, out->slots, &cells)) { return false; }
    for (k = 0; k < 2; k++) {
        out->list[k] = (uint32_t *)taco__arena_array(arena, n, sizeof **out->list, err);
        out->saved[k] = (size_t *)taco__arena_array(arena, cells + 1, sizeof **out->saved, err);
    }
    out->mark = (uint32_t *)taco__arena_array(arena, n, sizeof *out->mark, err);
    out->stack = (uint32_t *)taco__arena_array(arena, n * 4, sizeof *out->stack, err);
    out->places = (size_t *)taco__arena_array(arena, n * 2 + 2, sizeof *out->places, err);
    out->match =
        (size_t *)taco__arena_array(arena, (size_t)out->slots + 2, sizeof *out->match, err);
    return out->list[0] && out->list[1] && out->saved[0] && out->saved[1] && out->mark &&
           out->stack && out->places && out->match;
}

/* Whether byte `at` is of a word: letters, digits and _ of ASCII. */
static bool taco__regex_is_word(taco_bytes s, size_t at)
{
    uint8_t c = at < s.len ? s.data[at] : 0;
    return taco__lex_is_digit(c) || (c < 0x80 && taco__lex_is_letter(c));
}

/* Whether an assertion holds between bytes at - 1 and at. */
static bool taco__regex_holds(uint32_t what, taco_bytes s, size_t at)
{
    bool word = (at > 0 && taco__regex_is_word(s, at - 1)) != taco__regex_is_word(s, at);
    switch (what) {
    case TACO__REGEX_TEXT_BEGIN: return at == 0;
    case TACO__REGEX_TEXT_END: return at == s.len;
    case TACO__REGEX_LINE_BEGIN: return at == 0 || s.data[at - 1] == '\n';
    case TACO__REGEX_LINE_END: return at == s.len || s.data[at] == '\n';
    case TACO__REGEX_WORD: return word;
    default: return !word;
    }
}

/* Adds the threads that instruction `pc` leads to without a character, to list k, at byte `at`. The
   positions of the thread are in r->places; a stack replaces recursion, and also holds the old
   values of changed slots (marked by the top bit). */
static void taco__regex_follow(taco__regex_run *r, int k, uint32_t pc, taco_bytes s, size_t at)
{
    const uint32_t undo = UINT32_C(1) << 31;
    uint32_t top = 0;
    size_t *before = r->places + r->slots; /* values to restore */
    size_t kept = 0;
    r->stack[top++] = pc;
    while (top) {
        const taco__regex_instruction *in;
        pc = r->stack[--top];
        if (pc & undo) {
            r->places[pc & ~undo] = before[--kept];
            continue;
        }
        if (r->mark[pc] == r->step) { continue; }
        r->mark[pc] = r->step;
        in = &r->re->program[pc];
        switch (in->op) {
        case TACO__REGEX_JUMP: r->stack[top++] = in->x; break;
        case TACO__REGEX_SPLIT:
            r->stack[top++] = in->y;
            r->stack[top++] = in->x;
            break;
        case TACO__REGEX_SAVE:
            if (in->x < r->slots) {
                before[kept++] = r->places[in->x];
                r->stack[top++] = in->x | undo;
                r->places[in->x] = at;
            }
            r->stack[top++] = pc + 1;
            break;
        case TACO__REGEX_ASSERT:
            if (taco__regex_holds(in->x, s, at)) { r->stack[top++] = pc + 1; }
            break;
        default: /* consumes a character, or is the end */
            if (r->slots) {
                memcpy(r->saved[k] + (size_t)r->count[k] * r->slots, r->places,
                       r->slots * sizeof *r->places);
            }
            r->list[k][r->count[k]++] = pc;
            break;
        }
    }
}

/* Whether a character is in the ranges of an instruction, which are sorted. */
static bool taco__regex_has(const taco__regex *re, const taco__regex_instruction *in, uint32_t c)
{
    uint32_t lo = in->x, hi = in->x + in->y;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (re->ranges[mid].last < c) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo < in->x + in->y && re->ranges[lo].first <= c;
}

/* Begins a new step, which outdates marks of earlier ones. */
static void taco__regex_next_step(taco__regex_run *r)
{
    if (++r->step == 0) { /* after 2^32 steps */
        memset(r->mark, 0, (size_t)r->re->length * sizeof *r->mark);
        r->step = 1;
    }
}

/* Steps all threads of list k over the character c, which ends at byte `next`; those with lower
   priority than one that matched are dropped. True if one matched. */
static bool taco__regex_advance(taco__regex_run *r, int k, taco_bytes s, size_t at, uint32_t c,
                                size_t next, bool whole)
{
    uint32_t i;
    for (i = 0; i < r->count[k]; i++) {
        uint32_t pc = r->list[k][i];
        const taco__regex_instruction *in = &r->re->program[pc];
        if (in->op == TACO__REGEX_MATCH) {
            if (whole && at < s.len) { continue; }
            if (r->slots) {
                memcpy(r->match, r->saved[k] + (size_t)i * r->slots, r->slots * sizeof *r->match);
            }
            return true;
        }
        if (at < s.len && taco__regex_has(r->re, in, c)) {
            if (r->slots) {
                memcpy(r->places, r->saved[k] + (size_t)i * r->slots, r->slots * sizeof *r->places);
            }
            taco__regex_follow(r, !k, pc + 1, s, next);
        }
    }
    return false;
}

/* Finds a match; see regex.h. */
TACO__FN bool taco__regex_find(taco__regex_run *r, taco_bytes s, size_t from, bool whole)
{
    int k = 0, first = whole ? -1 : r->re->first_byte;
    size_t at = from, i;
    bool found = false;
    r->count[0] = r->count[1] = 0;
    taco__regex_next_step(r);
    for (;;) {
        size_t w = at < s.len ? taco__like_char_width(s, at) : 0;
        uint32_t c = w ? taco__like_char_at(s, at, w) : 0;
        if (!r->count[k] && !found && first >= 0 && at < s.len) {
            /* no thread is alive: skip to where one could begin */
            const uint8_t *hit = (const uint8_t *)memchr(s.data + at, first, s.len - at);
            if (!hit) { return false; }
            if ((size_t)(hit - s.data) != at) {
                at = (size_t)(hit - s.data);
                continue;
            }
        }
        /* a match may begin here, with lower priority than running threads */
        if (!found && (!whole || at == from)) {
            for (i = 0; i < r->slots; i++) {
                r->places[i] = SIZE_MAX;
            }
            taco__regex_follow(r, k, 0, s, at);
        }
        if (!r->count[k] && (found || whole)) { return found; }
        taco__regex_next_step(r);
        r->count[!k] = 0;
        if (taco__regex_advance(r, k, s, at, c, at + w, whole)) {
            found = true;
            if (!r->slots) { return true; }
        }
        if (at >= s.len) { return found; }
        k = !k;
        at += w;
    }
}
