/* parquet.h - reading Parquet files: from the footer to Arrow arrays of chosen rows

   In: bytes from base/file_read.c, decompressed by codec; out: what filter, dataset and sql read.
   Spec: github.com/apache/parquet-format (README.md, parquet.thrift, Encodings.md, LogicalTypes.md,
   PageIndex.md, BloomFilter.md). In reading order:

     format.h         thrift_read.c        Thrift's compact protocol
                      schema.c             the schema as a tree of elements
                      schema_types.c       physical and logical types to taco_type
                      schema_nodes.c       lists, maps and structs, old and new: taco_field
                      column_metadata.c    a column chunk's metadata, validated
                      footer.c             the footer as a whole
                      page_header.c        page headers
                      statistics.c         how far min and max can be trusted
                      page_index.c         offset and column index
                      page_index_check.c   column indexes that contradict the rest of a file
                      bloom_filter.c       split-block bloom filters
     decode.h         rle.c, plain.c, delta_binary_packed.c, delta_byte_array.c,
                      byte_stream_split.c  the encodings
                      values.c, spacing.c  values in memory form, gaps for nulls
     this header      page_cache.c         uncompressed pages kept for the next scan
                      expansion.c          how much a table may make of its bytes
                      page_decompress.c    a page's uncompressed bytes
                      chunk_window.c       bytes of a column chunk, read ahead
                      level_decode.c       repetition and definition levels
                      value_decode.c       values of any encoding
                      dictionary_page.c    dictionaries
                      page_decode.c        opens a page, appends its values to the batch
                      column_chunk_reader.c  a column chunk, read forward
                      record_assembly.c    arrays of nested columns
                      column_reader.c      a top-level column
                      file_reader.c        an open file
                      table.c              the rows of a file, or of arrays in memory
                      row_reader.c         columns of a table, by row number

   For users of this folder: a taco_pq_file must outlive everything made from it; fields, names and
   metadata belong to it. Arrays belong to the reader that made them and live until its next read.
   Readers of one file may run in parallel tasks, each with its own codecs, as long as nothing is
   fetched: only the page cache and the page indexes are shared, and these only change between
   tasks. Functions return false (or NULL) on failure with err filled; callers prefix the message
   with page, column, row group and file. */
#ifndef TACO__PARQUET_H
#define TACO__PARQUET_H

#include "../base/base.h"
#include "../codec/codec.h"
#include "../arrow/arrow.h"
#include "format.h"
#include "decode.h"

/* ---- page_cache.c: pages kept uncompressed ---- */

/* A page, followed by its uncompressed bytes in the same block. It never changes, so tasks may read
   it. */
typedef struct taco__cached_page {
    struct taco__cached_page *next;
    struct taco__cached_chunk *chunk;
    uint64_t at;               /* offset of its header in the part */
    size_t header;             /* size of the header */
    size_t len;                /* uncompressed size */
    taco__pq_page_header page; /* its header, without statistics: those point elsewhere */
} taco__cached_page;

#define TACO__CACHED_PAGE_SIZE ((sizeof(taco__cached_page) + 15) & ~(size_t)15)

/* The cached pages of one column chunk, kept while its file is open. Changes only while no task
   runs. Pages of chunks that a scan has marked stay until that scan is closed. */
typedef struct taco__cached_chunk {
    /* neighbours in the handle's list by last use, while it has pages */
    struct taco__cached_chunk *older, *newer;
    taco__cached_page *first, *last; /* in ascending order */
    uint64_t bytes;                  /* size of all pages */
    uint64_t values;                 /* level entries in them */
    uint64_t scan;                   /* number of the scan that used the chunk last */
    uint64_t scans;                  /* how many scans have used it */
    bool complete;                   /* all pages of the chunk are cached */
} taco__cached_chunk;

/* Pages added by one reader: they enter the cache once no task runs. */
typedef struct taco__pending_pages {
    taco__cached_page *newest; /* latest page; the others follow in reverse order of reading */
    uint64_t room;             /* bytes that may still be added */
} taco__pending_pages;

/* The page whose header is at an offset of the part; NULL if it is not cached. *near is where the
   search starts, and is set to where it ended: pages are looked up in ascending order. */
TACO__FN const taco__cached_page *
taco__page_cache_find(const taco__cached_chunk *k, const taco__cached_page **near, uint64_t at);
/* Copies a page for later; does nothing if there is no memory for it. */
TACO__FN void taco__page_cache_add(taco__pending_pages *to, taco__mem *mem, taco__cached_chunk *k,
                                   const taco__pq_page_header *page, uint64_t at, size_t header,
                                   taco_bytes plain);
/* Frees the cached pages of a chunk when its file is closed. */
TACO__FN void taco__page_cache_free_chunk(taco__mem *mem, taco__pq_column_chunk *chunk);
/* Moves a reader's pending pages into the cache. No task may run. */
TACO__FN void taco__page_cache_commit(taco__mem *mem, taco__pending_pages *from);
/* Gives one of n readers its share of the free room, until the next call. */
TACO__FN void taco__page_cache_set_room(const taco__mem *mem, taco__pending_pages *to, size_t n);
/* Scans are numbered from 1; every _begin_scan needs its _end_scan. */
TACO__FN uint64_t taco__page_cache_begin_scan(taco__mem *mem);
TACO__FN void taco__page_cache_end_scan(taco__mem *mem);
/* A scan is about to read pages of a chunk: its cached pages stay until the scan ends, and other
   chunks may be evicted to make room for more of them. */
TACO__FN void taco__page_cache_mark(taco__mem *mem, taco__pq_column_chunk *chunk, uint64_t scan);

TACO__INLINE const uint8_t *taco__page_cache_bytes(const taco__cached_page *p)
{
    return (const uint8_t *)p + TACO__CACHED_PAGE_SIZE;
}

/* ---- the parts of a column chunk reader ---- */

/* chunk_window.c: bytes of the chunk, used when the part does not have them in memory. */
typedef struct taco__chunk_window {
    const taco__file_part *part;
    taco__buf bytes; /* bytes of the part from `offset` on */
    uint64_t offset;
    uint64_t read_end; /* end of read-ahead */
    uint64_t end;      /* end of the chunk */
} taco__chunk_window;

/* column_chunk_reader.c: how far the chunk has been read. */
typedef struct taco__chunk_position {
    uint64_t next;         /* offset of the next page header in the part */
    uint64_t entries_left; /* level entries still to come according to the chunk's metadata */
    uint64_t page_number;  /* data pages begun, for messages; 0 = none */
    uint64_t group_rows;   /* rows in the row group */
    /* offset index of the chunk after a jump by row; else NULL */
    const taco__pq_offset_index *index;
} taco__chunk_position;

/* page_cache.c: cached pages of the chunk. */
typedef struct taco__chunk_cache {
    taco__cached_chunk *chunk;     /* NULL: the reader does not use the cache */
    const taco__cached_page *near; /* where the last one was found */
} taco__chunk_cache;

/* column_chunk_reader.c, page_decompress.c: the open page. */
typedef struct taco__chunk_page {
    taco__pq_page_header header;
    uint64_t header_at, body_at; /* offsets of header and body in the part */
    /* body as stored; data is NULL if it was not read, or the page is cached */
    taco_bytes body;
    const taco__cached_page *cached; /* NULL: the page comes from the file */
    taco__buf plain;                 /* uncompressed body */
    bool ready;                      /* levels and values have been opened */
    size_t entries_left;             /* level entries not yet consumed */
    /* repeated columns: rows still to come; UINT64_MAX = not known */
    uint64_t rows_left;
} taco__chunk_page;

/* level_decode.c: levels of the open page and of the batch. */
typedef struct taco__level_decoder {
    int16_t max_rep, max_def; /* maximum levels of the leaf */
    taco__rle rep, def;       /* level sections of the open page */
    /* The batch. Nested columns: int16 levels of its entries; repetition levels of up to 1 as a
       bitmap. Flat nullable columns: validity of its rows, and no levels. */
    taco__buf rep_levels, def_levels, validity;
    size_t entries;
    bool all_defined;      /* all definition levels are the maximum, so none were written */
    bool last_all_defined; /* the same for the entries read last */
} taco__level_decoder;

/* How the values of the open data page are stored. */
typedef enum taco__values_encoding {
    TACO__VALUES_PLAIN,
    TACO__VALUES_DICT,
    TACO__VALUES_RLE,         /* booleans */
    TACO__VALUES_DELTA_INT,   /* DELTA_BINARY_PACKED */
    TACO__VALUES_DELTA_LEN,   /* DELTA_LENGTH_BYTE_ARRAY */
    TACO__VALUES_DELTA_BYTES, /* DELTA_BYTE_ARRAY */
    TACO__VALUES_STREAM_SPLIT /* BYTE_STREAM_SPLIT */
} taco__values_encoding;

/* value_decode.c: the value section of the open page. */
typedef struct taco__value_decoder {
    const taco__pq_leaf *leaf;
    int32_t encoding; /* number in the file, for messages */
    taco__values_encoding kind;
    taco__rle rle; /* dictionary indices, booleans */
    taco__plain plain;
    taco__delta_int delta_int;
    taco__delta_len delta_len;
    taco__delta_bytes delta_bytes;
    taco__stream_split stream_split;
    /* the indices section of the page is empty, which is valid only if all its values are null */
    bool no_indices;
    taco__buf raw, raw_text; /* decoded values before conversion to memory form */
} taco__value_decoder;

/* dictionary_page.c: the dictionary of the chunk. */
typedef struct taco__dictionary {
    taco__values values;
    const uint8_t *entries; /* values of fixed width, in `values` or in a cached page */
    taco_array array;       /* the entries as an array, for batches of indices */
    bool loaded;            /* the chunk has a dictionary, possibly an empty one */
} taco__dictionary;

/* page_decode.c: values of the rows read since the batch was begun. */
typedef struct taco__chunk_batch {
    taco__values values;
    size_t rows;         /* rows of flat and repeated columns */
    uint64_t page_bytes; /* uncompressed size of the data pages the batch reads from */
    bool keep_indices;   /* few rows will be picked: values of fixed width stay indices, too */
} taco__chunk_batch;

/* Decoder states too large for a stack; readers that do not run at the same time share one. */
typedef struct taco__codecs {
    taco__mem *mem;
    taco__zstd_decoder *zstd; /* NULL until a page needs it */
    size_t zstd_size;         /* its allocated size, literals included */
    taco__pending_pages pending_pages;
} taco__codecs;

/* One leaf column of one row group, read forward. Each part is changed only by the file named above
   it, and is opened and freed with the reader. */
typedef struct taco__chunk_reader {
    /* what is read: set once for a leaf, and for each chunk */
    taco__mem *mem;
    const taco__file_part *part;
    const taco__pq_metadata *meta;
    const taco_limits *limits;
    taco__codecs *codecs;
    const taco__pq_leaf *leaf;
    const taco_field *field; /* leaf->field */
    const taco__pq_column_chunk *chunk;
    uint64_t *decoded; /* bytes that all columns of this pass have decoded; NULL: not counted */

    taco__chunk_window window;
    taco__chunk_position position;
    taco__chunk_cache cache;
    taco__chunk_page page;
    taco__level_decoder levels;
    taco__value_decoder decoder;
    taco__dictionary dict;
    taco__chunk_batch batch;
} taco__chunk_reader;

/* ---- expansion.c ---- */

/* A limit for each MiB of a table, for the whole of one of `size` bytes. */
TACO__FN uint64_t taco__expansion_total(uint64_t limit, uint64_t size);
/* LIMIT if an open file has more values than limits.max_values allows; CORRUPT if column chunks
   share bytes and limits.max_decoded is given. */
TACO__FN bool taco__expansion_check_file(const taco_pq_file *f, taco_error *err);
/* *shared: whether two column chunks, or indexes of them, share bytes; *what then names the first
   two. False if that cannot be found out. */
TACO__FN bool taco__expansion_find_shared(const taco_pq_file *f, bool *shared, taco_error *what,
                                          taco_error *err);
/* Counts bytes as decoded; LIMIT above limits.max_decoded. */
TACO__FN bool taco__expansion_charge(taco__chunk_reader *r, uint64_t bytes, taco_error *err);
/* The same for the last n values of the batch, whose text had text_before bytes before them. Text
   that stays in the dictionary counts for each reference, because its readers copy or print it. */
TACO__FN bool taco__expansion_charge_values(taco__chunk_reader *r, size_t n, size_t text_before,
                                            taco_error *err);

/* ---- page_decompress.c ---- */

/* A codec of pages. The table in page_decompress.c is all that the reader, its messages and `taco
   parquet schema` know about one. */
typedef struct taco__pq_codec {
    const char *name;       /* as in parquet.thrift, in lower case */
    uint32_t factor, slack; /* n compressed bytes expand to n * factor + slack at most */
    /* makes room in c for a page of `size` bytes; NULL: not needed */
    bool (*open)(taco__codecs *c, size_t size, taco_error *err);
    /* as the decoders of codec.h; NULL: not read */
    taco_status (*decode)(taco__codecs *c, taco_bytes in, taco__buf *out, size_t size,
                          taco_error *err);
} taco__pq_codec;

/* The codec of a number; NULL if parquet.thrift has none. */
TACO__FN const taco__pq_codec *taco__codecs_find(int32_t codec);
/* NULL if there is no memory. Freed by taco__codecs_close, not by the readers that use them. */
TACO__FN taco__codecs *taco__codecs_open(taco__mem *mem, taco_error *err);
TACO__FN void taco__codecs_close(taco__codecs *c, taco__mem *mem);
/* Sets *out to the uncompressed bytes of the open page, valid until the next page. Those of a v2
   page begin with its levels, which are never compressed (parquet.thrift, DataPageHeaderV2). */
TACO__FN bool taco__page_decompress(taco__chunk_reader *r, taco_bytes *out, taco_error *err);

/* ---- chunk_window.c ---- */

TACO__FN void taco__chunk_window_init(taco__chunk_window *w, taco__mem *mem);
TACO__FN void taco__chunk_window_free(taco__chunk_window *w);
/* Points the window at a chunk's pages. */
TACO__FN void taco__chunk_window_open(taco__chunk_window *w, const taco__file_part *part,
                                      const taco__range *pages);
/* len bytes at an offset of the part, valid until the next call; TRUNCATED past the chunk's end. */
TACO__FN const uint8_t *taco__chunk_window_view(taco__chunk_window *w, uint64_t offset, size_t len,
                                                taco_error *err);

/* ---- level_decode.c ---- */

/* How many level entries to decode at a time if the caller does not say. */
#define TACO__LEVEL_DECODE_AHEAD 4096

TACO__FN void taco__level_decode_init(taco__level_decoder *v, taco__mem *mem);
TACO__FN void taco__level_decode_free(taco__level_decoder *v);
/* Drops the levels of the batch. */
TACO__FN void taco__level_decode_clear(taco__level_decoder *v);
/* Opens the level sections of a page; *c moves from the first byte of the page to its first
   value. */
TACO__FN bool taco__level_decode_open(taco__level_decoder *v, const taco__pq_page_header *h,
                                      taco__byte_reader *c, taco_error *err);
/* Decodes the next n level entries of the page, placing them after those of the batch; the caller
   adds them to v->entries if they are to stay. */
TACO__FN bool taco__level_decode_read(taco__level_decoder *v, size_t n, taco_error *err);
/* Number of values among the entries [from, to) of the last read. */
TACO__FN size_t taco__level_decode_count_valid(const taco__level_decoder *v, size_t from,
                                               size_t to);
/* Of the m entries after those of the batch, counts those that belong to the next *rows rows, and
   subtracts the rows completed from *rows; *begun says whether a row has begun but not ended.
   SIZE_MAX if a row does not begin with repetition level 0. */
TACO__FN size_t taco__level_decode_row_entries(const taco__level_decoder *v, size_t m,
                                               uint64_t *rows, bool *begun);

TACO__INLINE int16_t *taco__level_decode_reps(const taco__level_decoder *v)
{
    return (int16_t *)(void *)v->rep_levels.data;
}

TACO__INLINE int16_t *taco__level_decode_defs(const taco__level_decoder *v)
{
    return (int16_t *)(void *)v->def_levels.data;
}

/* Bit k is set if entry i + k of the batch (k < m <= 64) has a repetition level of at least rep >
   0; the column is repeated. */
TACO__INLINE uint64_t taco__level_decode_rep_mask(const taco__level_decoder *v, size_t i, size_t m,
                                                  int16_t rep)
{
    return v->max_rep == 1 ? taco__bitmap_read(v->rep_levels.data, i, m)
                           : taco__spacing_level_word(taco__level_decode_reps(v) + i, m, rep);
}

/* ---- value_decode.c ---- */

TACO__FN void taco__value_decode_init(taco__value_decoder *d, taco__mem *mem);
TACO__FN void taco__value_decode_free(taco__value_decoder *d);
/* Opens the value section b of a page of `count` entries, in any encoding but dictionary
   indices. */
TACO__FN bool taco__value_decode_open(taco__value_decoder *d, int32_t encoding, uint64_t count,
                                      taco_bytes b, taco_error *err);
TACO__FN void taco__value_decode_open_plain(taco__value_decoder *d, taco_bytes b);
/* Appends the next n values in memory form; not for indices. */
TACO__FN bool taco__value_decode_append(taco__value_decoder *d, taco__values *s, size_t n,
                                        taco_error *err);
/* Skips n values of any kind. */
TACO__FN bool taco__value_decode_skip(taco__value_decoder *d, size_t n, taco_error *err);

/* Stored size of a fixed-width value. *numeric: it becomes a native number; other values stay
   bytes. */
TACO__INLINE size_t taco__value_decode_width(const taco__pq_leaf *leaf, bool *numeric)
{
    switch (leaf->type) {
    case TACO__PQ_INT32:
    case TACO__PQ_FLOAT: *numeric = true; return 4;
    case TACO__PQ_INT64:
    case TACO__PQ_DOUBLE: *numeric = true; return 8;
    case TACO__PQ_INT96: *numeric = false; return 12;
    default: *numeric = leaf->field->type == TACO_HALF; return (size_t)leaf->type_length;
    }
}

/* ---- dictionary_page.c ---- */

/* Reads the open page, a dictionary page, into r->dict. */
TACO__FN bool taco__dictionary_load(taco__chunk_reader *r, taco_error *err);
/* Loads the dictionary page before a chunk's first data page, if there is one. */
TACO__FN bool taco__dictionary_load_first(taco__chunk_reader *r, uint64_t first_data,
                                          taco_error *err);
/* Replaces the indices in the batch by their values, because the next page has no dictionary or
   another one. */
TACO__FN bool taco__dictionary_expand_batch(taco__chunk_reader *r, taco_error *err);
/* Appends the texts with the indices idx[0..n), which are known to be valid. */
TACO__FN bool taco__dictionary_copy_text(const taco__dictionary *d, taco__buf *bytes,
                                         int32_t *offsets, const int32_t *idx, size_t n,
                                         taco_error *err);
/* Sets length, offsets and values of the array to those of the dictionary; other members stay. */
TACO__FN void taco__dictionary_array(const taco__chunk_reader *r, taco_array *out);

/* ---- page_decode.c ---- */

/* Decompresses the open data page and opens its levels and values; once per page, when its first
   row is read. */
TACO__FN bool taco__page_decode_open(taco__chunk_reader *r, taco_error *err);
/* taco__level_decode_read of the open page. */
TACO__FN bool taco__page_decode_levels(taco__chunk_reader *r, size_t n, taco_error *err);
/* Appends n values of the open page to the batch, whatever their encoding. */
TACO__FN bool taco__page_decode_values(taco__chunk_reader *r, size_t n, taco_error *err);
/* LIMIT if the batch has more entries than its bytes justify: a run of a few bytes can claim 2^31
   entries, all in one row. Allowed are as many as bytes were read, or limits.max_page for long
   constant lists. */
TACO__FN bool taco__page_decode_check_size(const taco__chunk_reader *r, taco_error *err);

/* ---- column_chunk_reader.c ---- */

TACO__FN void taco__chunk_reader_init(taco__chunk_reader *r, taco__mem *mem);
TACO__FN void taco__chunk_reader_free(taco__chunk_reader *r);
/* Sets what to read: leaf `number` of a file, and the codecs to decompress it with. */
TACO__FN void taco__chunk_reader_set_leaf(taco__chunk_reader *r, const taco_pq_file *f,
                                          uint32_t number, taco__codecs *codecs);
/* Moves the reader to the beginning of a column chunk of its leaf; buffers are kept. */
TACO__FN bool taco__chunk_reader_open(taco__chunk_reader *r, const taco__pq_column_chunk *chunk,
                                      taco_error *err);
/* Reads the header of the next page from the file, and says how long it is; then its body, whose
   CRC is checked. `skip`: the body is not read. */
TACO__FN bool taco__chunk_reader_read_header(taco__chunk_reader *r, size_t *len, taco_error *err);
TACO__FN bool taco__chunk_reader_load_body(taco__chunk_reader *r, size_t header, bool skip,
                                           taco_error *err);
/* Whether the page whose header was read is a data page. */
TACO__FN bool taco__chunk_reader_is_data(const taco__chunk_reader *r);
/* Steps to the next data page, or up to `stop` if there is none before it; dictionary pages on the
   way are loaded, index pages skipped. Of a page of at most `skip` level entries, which the caller
   skips, no more than the header is read. */
TACO__FN bool taco__chunk_reader_next_page(taco__chunk_reader *r, uint64_t skip, uint64_t stop,
                                           taco_error *err);
/* With an offset index: jumps to the page that holds a row, if that is not the open one. *at, the
   next row, becomes the first row of that page. */
TACO__FN bool taco__chunk_reader_seek(taco__chunk_reader *r, uint64_t row, uint64_t *at,
                                      taco_error *err);
/* Limits reading ahead to the pages of rows up to `end`; while rows are skipped, to a few
   headers. */
TACO__FN void taco__chunk_reader_limit_ahead(taco__chunk_reader *r, uint64_t end, bool skipping);
/* Begins a batch, dropping the last one. */
TACO__FN void taco__chunk_reader_begin_batch(taco__chunk_reader *r);
/* Reads n rows into the batch, or skips them. _flat: definition levels become validity. _optional:
   no repetition, an entry is a row. _repeated: a row ends where the next repetition level 0 is,
   perhaps on a later page, or at the end of the chunk. */
TACO__FN bool taco__chunk_reader_read_flat(taco__chunk_reader *r, size_t n, taco_error *err);
TACO__FN bool taco__chunk_reader_skip_flat(taco__chunk_reader *r, uint64_t n, taco_error *err);
TACO__FN bool taco__chunk_reader_read_optional(taco__chunk_reader *r, uint64_t n, bool keep,
                                               taco_error *err);
TACO__FN bool taco__chunk_reader_read_repeated(taco__chunk_reader *r, uint64_t n, bool keep,
                                               taco_error *err);

/* ---- column_reader.c ---- */

/* A top-level column of one row group, read forward. */
typedef struct taco__column_reader {
    const taco__pq_schema_node *node;
    taco__mem *mem;
    taco__chunk_reader *leaf_readers; /* one for each leaf of the column */
    size_t leaf_count;
    taco__array_buf *root; /* the arrays of the column's nodes */
    uint64_t row, rows;    /* next row, rows of the row group */
    bool flat;             /* one leaf, whose entries are rows */
} taco__column_reader;

/* Prepares a column of a file. codecs may serve only one reader at a time; the arena, and *decoded
   (expansion.c), outlive the reader. */
TACO__FN bool taco__column_reader_init(taco__column_reader *c, const taco_pq_file *f, size_t column,
                                       taco__codecs *codecs, uint64_t *decoded, taco__mem *mem,
                                       taco__arena *arena, taco_error *err);
TACO__FN void taco__column_reader_free(taco__column_reader *c);
/* Moves the column to a row group of `rows` rows; chunks are those of the row group. */
TACO__FN bool taco__column_reader_open(taco__column_reader *c, const taco__pq_column_chunk *chunks,
                                       uint64_t rows, taco_error *err);
/* The dictionary of a flat column that has just been opened, if all its pages use it; else of
   length 0. */
TACO__FN bool taco__column_reader_dictionary(taco__column_reader *c, taco_array *out,
                                             taco_error *err);
/* Begins a batch, dropping what the last one returned. */
TACO__FN void taco__column_reader_begin_batch(taco__column_reader *c);
/* Skips forward to a row and appends n rows from there to the batch. */
TACO__FN bool taco__column_reader_append(taco__column_reader *c, uint64_t row, size_t n,
                                         taco_error *err);
/* The batch as an array, valid until the next _begin_batch. */
TACO__FN bool taco__column_reader_finish_batch(taco__column_reader *c, const taco_array **out,
                                               taco_error *err);

/* ---- record_assembly.c ---- */

/* Which level entries begin a slot of a node: those whose repetition level is at most that of the
   nearest repeated ancestor, and whose definition level says that the ancestor has an element. */
typedef struct taco__assembly_slots {
    /* of any leaf below the node; for a group without leaves, of a sibling's */
    const taco__level_decoder *levels;
    int16_t def, rep;
} taco__assembly_slots;

/* Spaces a leaf's packed values out to the n rows of b, whose validity and null_count are set; the
   array borrows them until the next batch. */
TACO__FN bool taco__assembly_values(taco__array_buf *b, taco__chunk_reader *r, size_t n,
                                    taco_error *err);
/* n rows of a field that has no leaves and hence no levels, and no sibling with levels: never null,
   its lists empty. */
TACO__FN bool taco__assembly_no_leaves(taco__array_buf *b, const taco_field *f, size_t n,
                                       taco_error *err);
/* Makes b the array of a node and everything below it. Recursive. */
TACO__FN bool taco__assembly_build(taco__column_reader *c, taco__array_buf *b,
                                   const taco__pq_schema_node *node, taco__assembly_slots s,
                                   taco_error *err);

/* ---- file_reader.c ---- */

/* Bytes read at the end of a file: most footers fit. */
#define TACO__PQ_FILE_TAIL 65536

/* Rows in a batch if the caller does not say. */
#define TACO__BATCH_ROWS 4096

struct taco_pq_file {
    taco__mem own_mem;   /* the file's own memory; a file in a dataset uses the dataset's */
    taco__file own_file; /* likewise */
    taco__mem *mem;
    taco__arena arena;
    taco__file_part part;
    const char *name; /* name of the file in messages: "level0.parquet"; "" = the caller names it */
    taco_options options;
    taco__pq_metadata meta;
    taco__buf footer;
    taco__range tail;     /* end of part.file, fetched with the footer: all of a small file */
    taco__codecs *codecs; /* for readers outside of tasks; NULL until needed */
    bool has_cached;      /* some chunks may have pages in the cache */
    /* by row group, then by leaf; NULL until requested */
    taco__pq_page_index **indexes;
    taco__buf index_bytes;
    /* what parquet_inspect/ returns: taco_pq_schema_text and _meta_text, and _meta_json */
    taco__buf text, json;
};

/* Reads and validates the footer of a file whose mem, part, name and options are set. */
TACO__FN bool taco__pq_file_open(taco_pq_file *f, taco_error *err);
/* Frees what _open allocated; part.file stays open. */
TACO__FN void taco__pq_file_close(taco_pq_file *f);
/* The file's own codecs, made on first use; NULL if there is no memory. */
TACO__FN taco__codecs *taco__pq_file_codecs(taco_pq_file *f, taco_error *err);
/* Prefixes a message with the file; false. */
TACO__FN bool taco__pq_file_fail(const taco_pq_file *f, taco_error *err);
/* The same with the row group, if the file has several; false. */
TACO__FN bool taco__pq_file_fail_group(const taco_pq_file *f, uint32_t group, taco_error *err);

/* ---- table.c ---- */

/* Rows of top-level columns: a Parquet file, or arrays in memory (Avro). Borrows both. Columns from
   `stored` on are not in the file: the first constant_count of them have one value in all rows,
   INT32 or TEXT, derived from the name of the file; then come those that are made; the others are
   of type NULL, so that a predicate may name columns that only other tables have. */
/* Columns of 8-byte integers, without nulls, whose values are not those that the file stores. */
#define TACO__REPLACED_COLUMNS 2

typedef struct taco__replaced_columns {
    size_t column[TACO__REPLACED_COLUMNS];
    const int64_t *values[TACO__REPLACED_COLUMNS]; /* of all rows */
} taco__replaced_columns;

/* Columns that are made from other tables of a dataset, when they are read; they follow the
   constant ones. */
typedef struct taco__made_columns {
    size_t count;
    void *ctx;
    /* Called, from one thread, before anything of a column is made; often more than once. */
    bool (*prepare)(void *ctx, size_t column, taco_error *err);
    /* Appends rows [first, first + n) of a column; several threads may call it at a time. */
    bool (*append)(void *ctx, size_t column, uint64_t first, uint64_t n, taco__array_builder *out,
                   taco_error *err);
    /* NULL, or called, from one thread, before rows first + rows[i] are appended; without rows,
       first to first + n - 1. Rows loaded before need not be kept. */
    bool (*load)(void *ctx, size_t column, uint64_t first, const uint32_t *rows, size_t n,
                 taco_error *err);
} taco__made_columns;

typedef struct taco__table {
    taco_pq_file *pq;                       /* NULL: arrays */
    const taco__replaced_columns *replaced; /* of a file; NULL: none */
    const taco_field *fields;
    size_t field_count, stored;
    const taco_array *arrays;
    uint64_t rows;
    const taco_array *constants; /* of one row each */
    size_t constant_count;
    const taco__made_columns *made; /* of a file; NULL: none */
} taco__table;

TACO__FN void taco__table_from_file(taco__table *t, taco_pq_file *f);
/* The values that replace those of a column; NULL if the stored ones are used. */
TACO__FN const int64_t *taco__table_replaced(const taco__table *t, size_t column);
/* Whether a column is made, and which one of them it is. */
TACO__FN bool taco__table_is_made(const taco__table *t, size_t column, size_t *made);
/* The first column that only predicates see. */
TACO__FN size_t taco__table_readable(const taco__table *t);
/* Index of the column with that name; SIZE_MAX if there is none. */
TACO__FN size_t taco__table_find_column(const taco__table *t, const char *name);
/* Number of row groups; arrays count as one, unless they are empty. */
TACO__FN uint32_t taco__table_group_count(const taco__table *t);
TACO__FN uint64_t taco__table_group_first_row(const taco__table *t, uint32_t g);
TACO__FN uint64_t taco__table_group_rows(const taco__table *t, uint32_t g);

/* ---- row_reader.c ---- */

/* Some columns of a table, read at ascending row numbers. Arrays live until the next read. */
typedef struct taco__row_reader {
    const taco__table *table;
    taco__mem *mem;
    taco__arena arena;
    size_t count;
    const size_t *which;          /* table columns to read */
    taco__column_reader *columns; /* readers of a Parquet file */
    taco__array_buf *selected;    /* gathered rows */
    taco_array *arrays;           /* results of the last read, one per column */
    uint32_t group;
    /* number of the scan it reads for, which decides which chunks may be cached */
    uint64_t scan;
    size_t length;             /* rows in the batch */
    uint64_t next;             /* first row that can be read without reopening the row group */
    taco__buf index;           /* what taco__row_reader_reserve_index returns */
    taco__buf *constants;      /* values of constant columns */
    taco__array_builder *made; /* values of made columns; NULL: there are none */
    taco__buf *replaced;       /* rows of replaced columns in this batch; NULL: there are none */
} taco__row_reader;

TACO__FN void taco__row_reader_close(taco__row_reader *r);
/* which[0..count) are columns of the table; the list is copied. codecs serve one reader at a time;
   _open uses those of the file. On failure, *r is left closed. */
TACO__FN bool taco__row_reader_open_with(taco__row_reader *r, const taco__table *t,
                                         const size_t *which, size_t count, taco__codecs *codecs,
                                         taco__mem *mem, taco_error *err);
TACO__FN bool taco__row_reader_open(taco__row_reader *r, const taco__table *t, const size_t *which,
                                    size_t count, taco__mem *mem, taco_error *err);
/* Opens a row group of a file in all columns, unless it is already open. */
TACO__FN bool taco__row_reader_open_group(taco__row_reader *r, uint32_t group, taco_error *err);
/* Makes r->arrays the rows idx[0..n), in that order, of the last read, or of the table's arrays if
   `memory` is set. */
TACO__FN bool taco__row_reader_take(taco__row_reader *r, const int32_t *idx, size_t n, bool memory,
                                    taco_error *err);
/* Room for n row numbers, for the caller to fill in; NULL on failure. */
TACO__FN int32_t *taco__row_reader_reserve_index(taco__row_reader *r, size_t n, taco_error *err);
/* Reads rows [first, first + n) into r->arrays. */
TACO__FN bool taco__row_reader_read_range(taco__row_reader *r, uint64_t first, size_t n,
                                          taco_error *err);
/* Reads the rows with the n ascending numbers base + rows[i] (repeated ones allowed) into
   r->arrays. */
TACO__FN bool taco__row_reader_read(taco__row_reader *r, uint64_t base, const uint32_t *rows,
                                    size_t n, taco_error *err);
/* Before several readers of the same columns read rows at a time, in tasks: has made columns load
   them. Rows are as in taco__row_reader_read; NULL: [base, base + n). */
TACO__FN bool taco__row_reader_load(const taco__row_reader *r, uint64_t base, const uint32_t *rows,
                                    size_t n, taco_error *err);
/* Who owns the buffers of the i-th array; false if the column is not stored. */
TACO__FN bool taco__row_reader_buffer_owner(const taco__row_reader *r, size_t i,
                                            taco__buffer_owner *out);

#endif /* TACO__PARQUET_H */
