/* remote.h - files at http://, https:// and s3:// URLs for taco_options.open_file, over libcurl.
   Copy remote.h and remote.c into your program and link it with -lcurl; or, if the system has
   dlopen, compile them with -DREMOTE_LOADS_CURL: libcurl is then loaded when the first URL is
   opened, and is not needed for other files.

       remote_client client = {0};
       opt.open_file = remote_open;
       opt.open_ctx = &client;
       ...
       remote_close(&client);                 (after the datasets)

   Opening a file takes one request, for its first bytes, whose response has the size. Nearby ranges
   are read in one request, several requests are made in parallel, and connections are reused.
   Broken connections, timeouts, 429 and 5xx are retried, from the byte where they stopped.
   Redirects are followed, but never from https to http. From a server without range requests, files
   up to REMOTE_WHOLE are read whole. A file that changes while it is read is an error.

   s3://bucket/key is read path style, https://s3.REGION.amazonaws.com/bucket/key, or from
   AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL, and signed with AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY
   and AWS_SESSION_TOKEN, or else those of the profile AWS_PROFILE ("default") in ~/.aws/credentials
   and ~/.aws/config, unless AWS_NO_SIGN_REQUEST is set. The region comes from AWS_REGION,
   AWS_DEFAULT_REGION or the profile, or is us-east-1. Passwords of other hosts come from ~/.netrc,
   proxies from the environment, as in curl. */
#ifndef REMOTE_H
#define REMOTE_H

#include "../taco_parquet.h"

/* Bytes read when opening a file, and the largest file that is read whole. */
#define REMOTE_HEAD  65536
#define REMOTE_WHOLE ((size_t)64 << 20)

/* State shared by the files of one thread. Initialize with {0}. */
typedef struct remote_client {
    /* first failure since the last successful read: "URL: why" */
    char failure[512];
    /* requests sent, and bytes of files received */
    uint64_t requests, bytes;
    /* the last request failed */
    bool given_up;
    /* the connections, a CURLM, and the functions of libcurl */
    void *connections, *calls;
} remote_client;

/* Call this once before several threads use the other functions. Programs with one thread need
   not. */
void remote_start(void);

/* Whether a path is a URL of one of the kinds above. */
bool remote_is_url(const char *path);

/* taco_options.open_file, with a remote_client as its context. Other paths are files of the C
   library. */
bool remote_open(void *client, const char *path, taco_source *out);

/* Closes the connections. The files must have been closed. */
void remote_close(remote_client *client);

/* The version of libcurl, such as "8.5.0"; NULL if it cannot be loaded. */
const char *remote_version(void);

#endif
