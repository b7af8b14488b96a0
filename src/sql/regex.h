/* regex.h - regular expressions of SQL's functions: regex_parse.c compiles, regex_match.c runs

   The syntax is RE2's (https://github.com/google/re2/wiki/Syntax), as in DuckDB's functions,
   without Unicode classes (\pL), which are refused by name. A pattern becomes a program for a
   machine with one thread for each position it could be at (K. Thompson, Regular expression search
   algorithm, 1968; R. Cox, Regular expression matching: the virtual machine approach, 2009): time
   is at most the length of the program times that of the text, whatever the pattern, and nothing
   backtracks. */
#ifndef TACO__SQL_REGEX_H
#define TACO__SQL_REGEX_H

#include "../base/base.h"

#define TACO__REGEX_MAX_PROGRAM 20000 /* most instructions: repetitions are expanded */
#define TACO__REGEX_MAX_REPEAT  1000  /* largest n in {n}, nested ones multiplied, as in RE2 */
#define TACO__REGEX_MAX_DEPTH   200   /* deepest nesting of groups */
#define TACO__REGEX_NONE        UINT32_MAX

typedef enum taco__regex_op {
    TACO__REGEX_MATCH = 0,
    TACO__REGEX_SET,   /* a character in the ranges [x, x + y) */
    TACO__REGEX_SPLIT, /* continues at x, and with lower priority at y */
    TACO__REGEX_JUMP,  /* continues at x */
    TACO__REGEX_SAVE,  /* stores the position in slot x */
    TACO__REGEX_ASSERT /* x: taco__regex_assertion */
} taco__regex_op;

typedef enum taco__regex_assertion {
    TACO__REGEX_TEXT_BEGIN = 0,
    TACO__REGEX_TEXT_END,
    TACO__REGEX_LINE_BEGIN,
    TACO__REGEX_LINE_END,
    TACO__REGEX_WORD,
    TACO__REGEX_NO_WORD
} taco__regex_assertion;

typedef struct taco__regex_instruction {
    uint32_t op, x, y;
} taco__regex_instruction;

/* Characters first to last, inclusive. Ranges of a set are sorted and do not touch. */
typedef struct taco__regex_range {
    uint32_t first, last;
} taco__regex_range;

/* A compiled pattern, in the arena it was compiled in. */
typedef struct taco__regex {
    const taco__regex_instruction *program;
    uint32_t length;
    const taco__regex_range *ranges;
    uint32_t groups; /* groups, counting group 0, the whole match */
    int first_byte;  /* every match begins with this byte; -1: any */
} taco__regex;

/* The options of a function. */
typedef struct taco__regex_options {
    bool ignore_case, dot_newline, literal;
    bool global; /* of regexp_replace */
} taco__regex_options;

/* Memory for running one pattern; see taco__regex_init_run. */
typedef struct taco__regex_run {
    const taco__regex *re;
    uint32_t slots;    /* slots for positions: 2 for each requested group */
    uint32_t *list[2]; /* threads: their instructions, by priority */
    size_t *saved[2];  /* their slots */
    uint32_t count[2];
    uint32_t *mark; /* last step at which each instruction was reached */
    uint32_t step;
    uint32_t *stack; /* instructions to follow, and slots to restore */
    size_t *places;  /* slots of the thread being followed */
    size_t *match;   /* slots of the best match */
} taco__regex_run;

/* ---- regex_parse.c ---- Errors are SYNTAX, and show the wrong part of the pattern. */

TACO__FN bool taco__regex_compile(taco__arena *arena, taco_bytes pattern,
                                  const taco__regex_options *o, taco__regex *out, taco_error *err);

/* ---- regex_match.c ---- taco__regex_find finds the leftmost match from byte `from` on; of
   several, the one a backtracking matcher would take. whole: the match must be the whole text.
   Slots of unmatched groups are SIZE_MAX. */

TACO__FN bool taco__regex_init_run(taco__arena *arena, const taco__regex *re, uint32_t groups,
                                   taco__regex_run *out, taco_error *err);
TACO__FN bool taco__regex_find(taco__regex_run *r, taco_bytes s, size_t from, bool whole);

#endif /* TACO__SQL_REGEX_H */
