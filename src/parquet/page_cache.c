/* page_cache.c - uncompressed pages kept for the next scan of the same column chunk

   In: pages that readers have decompressed; out: the same, found by the offset of their header.
   There is one cache per handle (taco__page_cache in base/base.h), bounded by limits.max_cache; the
   least recently used chunks are evicted first. A chunk's pages are a list in file order, which
   readers walk along.

   Tasks only look pages up; the pages they would add wait in their taco__pending_pages, until
   taco__page_cache_commit inserts them when no task runs. Copies are made from the second scan of a
   chunk on, so that a file that is read once costs nothing. A page that a scan may be reading is
   never freed: see taco__page_cache_begin_scan and _mark. */
#include "parquet.h"
#include "../base/base.h"

/* Chunks read by one of this many scans before the current one are not evicted. */
#define TACO__PAGE_CACHE_SCANS 4

TACO__FN const taco__cached_page *taco__page_cache_find(const taco__cached_chunk *k,
                                                        const taco__cached_page **near, uint64_t at)
{
    const taco__cached_page *p = *near && (*near)->at <= at ? *near : k->first;
    for (; p && p->at <= at; p = p->next) {
        *near = p;
        if (p->at == at) { return p; }
    }
    return NULL;
}

/* The copy is not charged to max_memory, because the cache has its own limit. */
TACO__FN void taco__page_cache_add(taco__pending_pages *to, taco__mem *mem, taco__cached_chunk *k,
                                   const taco__pq_page_header *page, uint64_t at, size_t header,
                                   taco_bytes plain)
{
    taco__cached_page *p;
    size_t size;
    if (!taco__checked_add_size(plain.len, TACO__CACHED_PAGE_SIZE, &size) || size > to->room) {
        return;
    }
    p = (taco__cached_page *)taco__mem_resize(mem, NULL, 0, size, NULL);
    if (!p) { return; }
    taco__mem_disown(mem, size);
    to->room -= size;
    p->next = to->newest;
    p->chunk = k;
    p->at = at;
    p->header = header;
    p->len = plain.len;
    p->page = *page;
    memset(&p->page.stats, 0, sizeof p->page.stats);
    if (plain.len) { memcpy((uint8_t *)p + TACO__CACHED_PAGE_SIZE, plain.data, plain.len); }
    to->newest = p;
}

static void taco__page_cache_free_page(taco__mem *mem, taco__cached_page *p)
{
    taco__mem_free_disowned(&mem->a, p, TACO__CACHED_PAGE_SIZE + p->len);
}

/* Takes a chunk out of the list by last use; chunks are in it only while they have pages. */
static void taco__page_cache_unlink(taco__page_cache *c, taco__cached_chunk *k)
{
    *(k->older ? &k->older->newer : &c->oldest) = k->newer;
    *(k->newer ? &k->newer->older : &c->newest) = k->older;
    k->older = k->newer = NULL;
}

/* Puts a chunk at the recently used end of that list. */
static void taco__page_cache_link(taco__page_cache *c, taco__cached_chunk *k)
{
    k->older = c->newest;
    k->newer = NULL;
    *(c->newest ? &c->newest->newer : &c->oldest) = k;
    c->newest = k;
}

/* Frees the pages of a chunk. */
static void taco__page_cache_evict(taco__mem *mem, taco__cached_chunk *k)
{
    taco__cached_page *p = k->first, *next;
    if (!p) { return; }
    taco__page_cache_unlink(&mem->cache, k);
    mem->cache.bytes -= k->bytes;
    for (; p; p = next) {
        next = p->next;
        taco__page_cache_free_page(mem, p);
    }
    k->first = k->last = NULL;
    k->bytes = k->values = 0;
    k->complete = false;
}

TACO__FN void taco__page_cache_free_chunk(taco__mem *mem, taco__pq_column_chunk *chunk)
{
    if (TACO__WITH_CACHE && chunk->cached) {
        taco__page_cache_evict(mem, chunk->cached);
        taco__mem_free_disowned(&mem->a, chunk->cached, sizeof *chunk->cached);
        chunk->cached = NULL;
    }
}

/* Whether a chunk is cached completely: its pages are contiguous from the first on, and have all
   its entries. */
static bool taco__page_cache_is_complete(const taco__cached_chunk *k,
                                         const taco__pq_column_chunk *c)
{
    const taco__cached_page *p;
    uint64_t at = c->pages.offset;
    for (p = k->first; p && p->at == at; p = p->next) {
        at += p->header + p->page.compressed_size;
    }
    return !p && k->values == (uint64_t)c->num_values;
}

/* Inserts one page in its place; false if it is there already, or there is no room. */
static bool taco__page_cache_insert(taco__mem *mem, taco__cached_chunk *k, taco__cached_page *p)
{
    taco__cached_page **link = k->last && k->last->at < p->at ? &k->last->next : &k->first;
    uint64_t size = TACO__CACHED_PAGE_SIZE + p->len;
    while (*link && (*link)->at < p->at) {
        link = &(*link)->next;
    }
    if ((*link && (*link)->at == p->at) ||
        size > mem->cache.most - TACO__MIN(mem->cache.most, mem->cache.bytes)) {
        return false;
    }
    if (!k->first) { taco__page_cache_link(&mem->cache, k); }
    p->next = *link;
    *link = p;
    k->last = p->next ? k->last : p;
    k->bytes += size;
    k->values += p->page.type == TACO__PQ_PAGE_DICTIONARY ? 0 : p->page.num_values;
    mem->cache.bytes += size;
    return true;
}

TACO__FN void taco__page_cache_commit(taco__mem *mem, taco__pending_pages *from)
{
    taco__cached_page *p = from->newest, *next, *oldest = NULL;
    if (!TACO__WITH_CACHE) { return; }
    for (; p; p = next) { /* inserted in order of reading, so that each place is found at once */
        next = p->next;
        p->next = oldest;
        oldest = p;
    }
    for (p = oldest; p; p = next) {
        next = p->next;
        if (!taco__page_cache_insert(mem, p->chunk, p)) { taco__page_cache_free_page(mem, p); }
    }
    from->newest = NULL;
}

TACO__FN void taco__page_cache_set_room(const taco__mem *mem, taco__pending_pages *to, size_t n)
{
    to->room = (mem->cache.most - TACO__MIN(mem->cache.most, mem->cache.bytes)) / n;
}

/* No open scan has a number below c->floor: chunks last marked by such a scan are not in use. */
TACO__FN uint64_t taco__page_cache_begin_scan(taco__mem *mem)
{
    taco__page_cache *c = &mem->cache;
    c->scans++;
    c->floor = c->open++ ? c->floor : c->scans;
    return c->scans;
}

TACO__FN void taco__page_cache_end_scan(taco__mem *mem)
{
    mem->cache.open--;
}

/* Makes room for the missing pages of a chunk that was scanned before: the least recently used
   chunks are evicted, unless a recent scan has read them. So a query that reads more than fits
   finds part of it cached the next time, instead of evicting each time the end of what it read
   before. */
static void taco__page_cache_make_room(taco__mem *mem, const taco__cached_chunk *k,
                                       const taco__pq_column_chunk *chunk, uint64_t scan)
{
    taco__page_cache *c = &mem->cache;
    /* twice, for the overhead on top of the pages' bytes */
    uint64_t need = TACO__MIN(chunk->uncompressed_size, c->most / 2) * 2;
    need -= TACO__MIN(need, k->bytes);
    while (c->oldest && need > c->most - TACO__MIN(c->most, c->bytes) &&
           c->oldest->scan < c->floor && c->oldest->scan + TACO__PAGE_CACHE_SCANS < scan) {
        taco__page_cache_evict(mem, c->oldest);
    }
}

TACO__FN void taco__page_cache_mark(taco__mem *mem, taco__pq_column_chunk *chunk, uint64_t scan)
{
    taco__page_cache *c = &mem->cache;
    taco__cached_chunk *k = chunk->cached;
    if (!k) {
        k = (taco__cached_chunk *)taco__mem_alloc(mem, sizeof *k, NULL);
        if (k) { taco__mem_disown(mem, sizeof *k); }
        chunk->cached = k;
    }
    if (!k || k->scan >= scan) { return; }
    k->scan = scan;
    k->scans++;
    if (k->first) {
        taco__page_cache_unlink(c, k);
        taco__page_cache_link(c, k);
        k->complete = k->complete || taco__page_cache_is_complete(k, chunk);
    }
    if (k->scans > 1 && !k->complete) { taco__page_cache_make_room(mem, k, chunk, scan); }
}
