/* time.h - the part that src/ uses; defined in ../libc.c */
#ifndef BROWSER_TIME_H
#define BROWSER_TIME_H

typedef long long time_t;
time_t time(time_t *out);

#endif
