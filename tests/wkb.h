/* Makes WKB in both byte orders. Include it after base.h. */
#ifndef TACO_TEST_WKB_H
#define TACO_TEST_WKB_H

typedef struct blob {
    uint8_t data[1024];
    size_t len;
    bool big;
} blob;

TEST_FN void u32(blob *b, uint32_t x)
{
    size_t i;
    for (i = 0; i < 4; i++) {
        b->data[b->len++] = (uint8_t)(x >> 8 * (b->big ? 3 - i : i));
    }
}

TEST_FN void number(blob *b, double d)
{
    uint64_t x = taco__f64_to_bits(d);
    size_t i;
    for (i = 0; i < 8; i++) {
        b->data[b->len++] = (uint8_t)(x >> 8 * (b->big ? 7 - i : i));
    }
}

TEST_FN void head(blob *b, bool big, uint32_t type)
{
    b->big = big;
    b->data[b->len++] = !big;
    u32(b, type);
}

TEST_FN void xy(blob *b, double x, double y, size_t more)
{
    number(b, x);
    number(b, y);
    for (; more; more--) {
        number(b, 9.25);
    }
}

TEST_FN void ring(blob *b, bool back, double at, double size, size_t more)
{
    double far = at + size;
    u32(b, 5);
    xy(b, at, at, more);
    xy(b, back ? at : far, back ? far : at, more);
    xy(b, far, far, more);
    xy(b, back ? far : at, back ? at : far, more);
    xy(b, at, at, more);
}

#endif
