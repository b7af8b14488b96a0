/* archive.h - ZIP records, and where the metadata of an archive or a catalogue is */
#ifndef TACO__ARCHIVE_H
#define TACO__ARCHIVE_H

#include "../api/taco.h"
#include "../base/base.h"

/* Paragraphs are those of PKWARE APPNOTE 6.3.10. Numbers in the records below are validated: ranges
   lie inside the file, and either before the directory or inside it, as they should. */

/* bytes of a local header without name and extra (§4.3.7) */
#define TACO__ZIP_LOCAL_BYTES 30
/* bytes before a payload that have its local header, unless its name is very long */
#define TACO__ZIP_LEAD 256
/* bytes of a central directory header without name, extra and comment (§4.3.12) */
#define TACO__ZIP_CENTRAL_BYTES 46
/* bytes of the end of central directory record without its comment (§4.3.16) */
#define TACO__ZIP_EOCD_BYTES 22
/* bytes of its ZIP64 form (§4.3.14) */
#define TACO__ZIP_EOCD64_BYTES 56
/* bytes of the record that locates it (§4.3.15) */
#define TACO__ZIP_LOCATOR_BYTES 20

/* first four bytes of each record, little-endian: "PK" and two more */
#define TACO__ZIP_SIG_LOCAL   0x04034B50U
#define TACO__ZIP_SIG_CENTRAL 0x02014B50U
#define TACO__ZIP_SIG_EOCD    0x06054B50U
#define TACO__ZIP_SIG_EOCD64  0x06064B50U
#define TACO__ZIP_SIG_LOCATOR 0x07064B50U

/* flag bits 0, 6 and 13: some form of encryption (§4.4.4) */
#define TACO__ZIP_ENCRYPTED 0x2041U
/* flag bit 3: sizes and CRC of the local header come after the bytes */
#define TACO__ZIP_DESCRIPTOR 0x0008U

/* Contents of the records at the end of an archive. */
typedef struct taco__zip_dir {
    uint64_t file_size;
    /* the central directory, and how many entries it has */
    uint64_t offset, size, entries;
    /* first byte of the end records (EOCD64 or EOCD) */
    uint64_t end;
    /* bytes between the directory and the end records; normally 0 */
    uint64_t gap;
    /* where the EOCD is */
    uint64_t eocd;
    /* bytes after the EOCD and its comment; normally 0 */
    uint64_t trailing;
    /* where the EOCD64 is; 0 without one */
    uint64_t eocd64;
    /* the EOCD64 does not end where its locator begins */
    bool odd64;
    /* the EOCD64 lies before the bytes read so far: taco__zip_open reads it next */
    bool pending;
    /* bytes of the archive comment */
    uint32_t comment;
} taco__zip_dir;

/* One central directory header; slices point into the directory. */
typedef struct taco__zip_entry {
    taco_bytes name, extra, comment;
    /* offset of the header itself in the file */
    uint64_t at;
    /* 0 for the first entry */
    uint64_t index;
    /* uncompressed and stored size; offset of the local header */
    uint64_t size, csize, local;
    uint32_t crc, external;
    uint16_t made, needed, flags, method, time, date;
    /* it has a ZIP64 extra field */
    bool zip64;
} taco__zip_entry;

/* One local header. */
typedef struct taco__zip_local_header {
    /* {NULL, 0} while partial */
    taco_bytes name, extra;
    uint64_t size, csize;
    /* bytes of the header; where the bytes of the entry begin */
    uint64_t length, data;
    uint32_t crc;
    uint16_t needed, flags, method;
    /* fewer than length bytes were given: the sizes may not yet be their ZIP64 values */
    bool partial;
} taco__zip_local_header;

/* A walk over the entries of a directory that is in memory. */
typedef struct taco__zip_iter {
    taco__byte_reader cur;
    const taco__zip_dir *dir;
    /* index of the next entry */
    uint64_t index;
    /* an entry failed, and the walk has ended */
    bool bad;
} taco__zip_iter;

/* METADATA/level0.parquet to level5.parquet */
#define TACO__INDEX_LEVELS 6
/* bytes of a TACO_HEADER with its local header: the least to read */
#define TACO__INDEX_HEADER_BYTES 157
/* bytes of its payload: a count, 3 bytes of padding, 7 pairs of offset and length */
#define TACO__INDEX_PAYLOAD_BYTES 116
/* bytes of the header of a TACOCAT */
#define TACO__INDEX_TACOCAT_BYTES 128

/* Oddities of a TACO_HEADER that was accepted nevertheless; validation reports them. */
/* the name of tacozip 0.5 and before */
#define TACO__INDEX_ODD_NAME 1U
/* the local header gives another length than 116 */
#define TACO__INDEX_ODD_LENGTH 2U
/* the bytes after the count are not zero */
#define TACO__INDEX_ODD_PADDING 4U
/* a level of length 0 before the last one */
#define TACO__INDEX_ODD_GAP 8U
/* the payload does not have the CRC in the local header */
#define TACO__INDEX_ODD_CRC 16U

/* Where the metadata of an archive or a catalogue is. Ranges returned by container_index.c lie
   inside the file and do not overlap. */
typedef struct taco__index {
    /* len 0: the level does not exist */
    taco__range level[TACO__INDEX_LEVELS];
    taco__range collection;
    /* deepest existing level, plus one */
    uint32_t levels;
    /* number of entries in the header */
    uint32_t count;
    /* offset of the pairs of offset and length in the file, for messages; or 0 */
    uint32_t table;
    /* index of the collection's pair */
    uint32_t last;
    /* TACO__INDEX_ODD_NAME ... */
    unsigned odd;
    /* refused, but it is a TACO archive: its central directory may be usable */
    bool recover;
} taco__index;

/* ---- zip_read.c ---- */

/* The usual order: taco__zip_open, taco__zip_read_directory, then taco__zip_next for each entry and
   taco__zip_locate_entry for those whose bytes are needed. */
TACO__FN taco_status taco__zip_open_until(taco__file *f, uint64_t size, taco__zip_dir *out,
                                          taco__buf *scratch, taco_error *err);
/* The end of an archive whose central directory begins at `at`: the byte after its end record. 0 if
   none is there. Follows the records, as the file may have been extended since. */
TACO__FN uint64_t taco__zip_find_end(taco__file *f, uint64_t at, taco__buf *scratch);
TACO__FN taco_status taco__zip_open(taco__file *f, taco__zip_dir *out, taco__buf *scratch,
                                    taco_error *err);
TACO__FN taco_status taco__zip_read_directory(taco__file *f, const taco__zip_dir *dir,
                                              uint64_t limit, taco__buf *scratch, taco_bytes *out,
                                              taco_error *err);
TACO__FN taco__zip_iter taco__zip_iter_init(taco_bytes directory, const taco__zip_dir *dir);
TACO__FN bool taco__zip_next(taco__zip_iter *it, taco__zip_entry *out, taco_error *err);
TACO__FN taco_status taco__zip_check_stored(const taco__zip_entry *e, taco_error *err);
TACO__FN taco_status taco__zip_read_local_header(taco_bytes b, uint64_t offset,
                                                 taco__zip_local_header *out, taco_error *err);
TACO__FN bool taco__zip_lead_crc(taco_bytes lead, uint64_t size, bool *known, uint32_t *crc,
                                 taco_bytes *name);
TACO__FN bool taco__zip_stored_crc(const taco_source *src, uint64_t offset, uint64_t size,
                                   uint32_t *crc);
TACO__FN bool taco__zip_check_copied(const taco_options *o, bool known, uint32_t wanted,
                                     uint32_t found, taco_bytes id, taco_error *err);
TACO__FN taco_status taco__zip_locate_entry(taco__file *f, const taco__zip_dir *dir,
                                            const taco__zip_entry *e, taco__zip_local_header *out,
                                            taco__buf *scratch, taco_error *err);

/* ---- container_index.c ---- */

/* Three ways to a taco__index: the TACO_HEADER of an archive, its central directory where that is
   damaged, the binary header of a TACOCAT. */
TACO__FN taco_status taco__index_read_header(taco_bytes first, uint64_t file_size, taco__index *out,
                                             taco_error *err);
TACO__FN taco_status taco__index_recover(taco__file *f, uint64_t limit, taco__index *out,
                                         taco_error *err);
TACO__FN bool taco__index_is_tacocat(taco_bytes first);
TACO__FN taco_status taco__index_read_tacocat(taco_bytes first, uint64_t file_size,
                                              taco__index *out, taco_error *err);

/* For validation, which compares header and directory. */
TACO__FN taco__range *taco__index_find_slot(taco__index *x, taco_bytes name);
TACO__FN taco_status taco__index_from_directory(taco__file *f, const taco__zip_dir *dir,
                                                taco_bytes directory, taco__index *out,
                                                taco__buf *scratch, taco_error *err);
TACO__FN taco_status taco__index_compare(const taco__index *header, const taco__index *directory,
                                         taco_error *err);

#endif /* TACO__ARCHIVE_H */
