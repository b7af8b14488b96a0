#!/usr/bin/env python3
"""remote.py TACO SHARED DIR [--big ARCHIVE] [--wheel] - the tool over HTTP and S3, with the requests counted.

Servers on 127.0.0.1: that of SHARED/tools, whose log is read, and one here that does what servers do wrong. --big is an
archive of many rows (SHARED/tools/make_big.py flat), made in DIR where it is not given. --wheel: the same questions to the
Python package, in this Python, beside the tool."""
import argparse, hashlib, hmac, http.server, json, os, pathlib, re, shutil, socket, subprocess, sys, threading, time, urllib.parse, zipfile

ap = argparse.ArgumentParser()
ap.add_argument("taco"); ap.add_argument("shared"); ap.add_argument("dir"); ap.add_argument("--big"); ap.add_argument("--wheel", action="store_true"); ap.add_argument("--duckdb")
A = ap.parse_args()
DATA = pathlib.Path(__file__).resolve().parents[2] / "examples" / "data"
pathlib.Path(A.dir).mkdir(parents=True, exist_ok=True)
checks = failures = 0


def check(ok, *what):
    global checks, failures
    checks += 1
    if not ok:
        failures += 1
        print("FAIL", *what)


def tool(*args, env=None):
    p = subprocess.run([A.taco, *map(str, args)], capture_output=True, env={**os.environ, "no_proxy": "127.0.0.1", **(env or {})})
    return p.returncode, p.stdout.decode(), p.stderr.decode()


# ---- a server that misbehaves: the first part of a path says how ----
KEY, SECRET = "AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
seen, arrived = [], []


def signed(h):
    """The signature of a request is that of SECRET (AWS Signature Version 4)."""
    m = re.match(r"AWS4-HMAC-SHA256 Credential=([^/]+)/(\d+)/([^/]+)/s3/aws4_request, ?SignedHeaders=([^,]+), ?Signature=(\w+)", h.headers.get("Authorization", ""))
    if not m or m[1] != KEY:
        return False
    names = m[4].split(";")
    path, _, query = h.path.partition("?")
    canonical = "\n".join(["GET", path, query, *("%s:%s" % (n, " ".join(h.headers[n].split())) for n in names), "", m[4], h.headers["x-amz-content-sha256"]])
    scope = "%s/%s/s3/aws4_request" % (m[2], m[3])
    text = "\n".join(["AWS4-HMAC-SHA256", h.headers["x-amz-date"], scope, hashlib.sha256(canonical.encode()).hexdigest()])
    key = ("AWS4" + SECRET).encode()
    for part in m[2], m[3], "s3", "aws4_request":
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest() == m[5]


class Server(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, headers=(), body=b""):
        self.send_response(status)
        for k, v in headers:
            self.send_header(k, v)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_HEAD(self):  # GDAL asks for the size first
        how, _, name = urllib.parse.unquote(self.path).lstrip("/").partition("/")
        if how == "404":
            return self.answer(404)
        self.send_response(200)
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str((DATA / name).stat().st_size))
        self.end_headers()

    def do_GET(self):
        path = urllib.parse.unquote(self.path.split("?")[0]).lstrip("/")
        how, _, name = path.partition("/")
        seen.append((how, name, self.headers.get("Range"), self.headers.get("Authorization")))
        first = seen.count(seen[-1]) == 1
        if how == "slow":
            arrived.append(time.time())
            time.sleep(0.3)
        if how == "redirect":
            return self.answer(302, [("Location", "/plain/" + name)])
        if how == "loop":
            return self.answer(302, [("Location", self.path)])
        if how == "file":
            return self.answer(302, [("Location", "file:///etc/hostname")])
        if how.isdigit() or how == "once500":
            if how == "once500" and not first:
                how = "plain"
            else:
                return self.answer(500 if how == "once500" else int(how), body=b"<html>no</html>")
        if how == "bucket" and not signed(self):
            return self.answer(403)
        file = DATA / name if how not in ("big", "changing", "slow") else pathlib.Path(BIG)
        if not file.is_file():
            return self.answer(404)
        r = re.match(r"bytes=(\d+)-(\d+)$", self.headers.get("Range") or "")
        if how == "norange" or not r:
            return self.answer(200, [], file.read_bytes())
        size = file.stat().st_size
        a, b = int(r[1]), min(int(r[2]), size - 1)
        etag = str(len(seen)) if how == "changing" else "same"
        self.send_response(206)
        if how != "nosize":
            self.send_header("Content-Range", "bytes %d-%d/%d" % (a, b, size))
        self.send_header("ETag", '"%s"' % etag)
        self.send_header("Content-Length", str(b - a + 1))
        self.end_headers()
        with open(file, "rb") as f:
            f.seek(a)
            body = f.read(b + 1 - a)
        if how == "breaks" and len(body) > 10000 or how == "cut":
            self.wfile.write(body[: len(body) // 2 if how == "breaks" else 10])
            self.wfile.flush()
            self.connection.shutdown(socket.SHUT_RDWR)
            self.close_connection = True
            return
        self.wfile.write(body)

    def log_message(self, *a):
        pass


class Threads(http.server.ThreadingHTTPServer):
    request_queue_size = 64  # connections come many at a time


bad = Threads(("127.0.0.1", 0), Server)
bad.handle_error = lambda *a: None
threading.Thread(target=bad.serve_forever, daemon=True).start()
HOST = "http://127.0.0.1:%d" % bad.server_address[1]


def with_faults():
    wanted = tool("query", DATA / "nested.tacozip", "--format", "ndjson", "--select", "id, type, \"stac:crs\"")[1]
    query = ["--format", "ndjson", "--select", "id, type, \"stac:crs\""]

    def good(how, env=None, most=None):
        seen.clear()
        got = tool("query", "%s/%s/nested.tacozip" % (HOST, how), *query, env=env)
        check(got == (0, wanted, ""), how, got)
        check(most is None or len(seen) <= most, how, "requests:", seen)

    def refused(how, *words, requests=None):
        seen.clear()
        began = time.time()
        status, out, err = tool("query", "%s/%s/nested.tacozip" % (HOST, how), *query)
        check(status == 1 and not out and err.count("\n") == 1 and all(w in err for w in words), how, status, out, err)
        check(time.time() - began < 15, how, "took", time.time() - began)
        check(requests is None or len(seen) == requests, how, "requests:", seen)

    good("plain", most=2)
    good("redirect", most=3)
    good("norange", most=1)
    good("breaks")
    good("once500")
    refused("403", "403", "refuses access")
    refused("404", "404")
    refused("500", "500")
    refused("loop", "redirect")
    refused("file", "file")
    refused("cut")
    refused("nosize", "how large")
    status, out, err = tool("info", "http://127.0.0.1:1/x.tacozip")
    check(status == 1 and "connect" in err.lower() and err.count("\n") == 1, "nobody listens:", err)
    # secrets of a URL are in no message
    status, out, err = tool("info", HOST.replace("//", "//user:secret@") + "/403/x.tacozip?signature=abcdef")
    check(status == 1 and "403" in err, "userinfo", err)
    # a file that changes between two reads
    status, out, err = tool("query", "%s/big/x.tacozip" % HOST, "--limit", "1", "--format", "csv", "--select", "id")
    check(status == 0, "big", err)
    status, out, err = tool("query", "%s/changing/x.tacozip" % HOST, "--limit", "1")
    check(status == 1 and "changed" in err and err.count("\n") == 1, "a file that changes", status, err)
    # payload
    for key in "tile_00/image", "tile_03/note":
        here = subprocess.run([A.taco, "get", DATA / "nested.tacozip", key], capture_output=True).stdout
        there = subprocess.run([A.taco, "get", HOST + "/plain/nested.tacozip", key], capture_output=True).stdout
        check(here == there and here, "get", key)


def with_s3():
    env = {"AWS_ENDPOINT_URL": HOST, "AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": SECRET, "AWS_REGION": "eu-west-3"}
    seen.clear()
    got = tool("query", "s3://bucket/nested.tacozip", "--select", "id", "--format", "csv", env=env)
    check(got[0] == 0 and got[1].split() == ["id", "tile_00", "tile_01", "tile_02", "tile_03"], "s3", got)
    check(len(seen) <= 2, "s3: requests", seen)
    got = tool("query", "s3://bucket/nested.tacozip", "--format", "vsi", env=env)
    check(got[1].startswith("/vsisubfile/5991_1966,/vsis3/bucket/nested.tacozip\n"), "s3: vsi", got)
    got = tool("info", "s3://bucket/nested.tacozip", env={**env, "AWS_SECRET_ACCESS_KEY": "wrong"})
    check(got[0] == 1 and "403" in got[2], "s3: wrong secret", got)
    got = tool("info", "s3://bucket/nested.tacozip", env={**env, "AWS_NO_SIGN_REQUEST": "YES"})
    check(got[0] == 1 and "403" in got[2] and not seen[-1][3], "s3: unsigned", got)
    # of a profile in ~/.aws, where the environment has none
    home = pathlib.Path(A.dir).resolve() / "home"
    (home / ".aws").mkdir(parents=True, exist_ok=True)
    (home / ".aws" / "credentials").write_text(
        "# keys\n[default]\naws_access_key_id = nobody\naws_secret_access_key=none\n\n"
        "[work]\naws_access_key_id=%s\n  aws_secret_access_key =  %s  \naws_session_token = tok\n" % (KEY, SECRET))
    (home / ".aws" / "config").write_text("[default]\nregion = us-west-2\n[profile work]\nregion = eu-south-2\nendpoint_url = %s/\n" % HOST)
    env = {"HOME": str(home), "AWS_PROFILE": "work"}
    seen.clear()
    got = tool("query", "s3://bucket/nested.tacozip", "--select", "id", "--format", "csv", env=env)
    check(got[0] == 0 and got[1].split()[-1] == "tile_03", "s3: a profile", got)
    check("/eu-south-2/s3/" in seen[-1][3] and "x-amz-security-token" in seen[-1][3], "s3: the region and token of a profile", seen[-1])
    env = {"HOME": str(home), "AWS_ENDPOINT_URL": HOST}
    got = tool("info", "s3://bucket/nested.tacozip", env=env)
    check(got[0] == 1 and "403" in got[2] and "Credential=nobody/" in seen[-1][3], "s3: the default profile", got)
    files = {"AWS_SHARED_CREDENTIALS_FILE": str(home / ".aws" / "credentials"), "AWS_CONFIG_FILE": "/nothing", "HOME": "/nothing"}
    got = tool("info", "s3://bucket/nested.tacozip", env={**files, "AWS_PROFILE": "work", "AWS_ENDPOINT_URL": HOST})
    check(got[0] == 0, "s3: a file of credentials", got)
    got = tool("info", "s3://bucket/nested.tacozip", env={**env, "AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": SECRET})
    check(got[0] == 0, "s3: the environment before the profile", got)
    # credentials of S3 go to no other server
    seen.clear()
    tool("info", HOST + "/plain/nested.tacozip", env=env)
    check(seen and not any(s[3] for s in seen), "https: authorization", seen)


# ---- the server of ../shared, and many rows ----
def start_counted(root):
    log = os.path.join(A.dir, "requests.log")
    open(log, "w").close()
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    p = subprocess.Popen([sys.executable, os.path.join(A.shared, "tools", "range_server.py"), root, str(port), log])
    for _ in range(100):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            break
        except OSError:
            time.sleep(0.05)

    def requests():
        time.sleep(0.3)
        got = [json.loads(line) for line in open(log)]
        open(log, "w").close()
        return got

    return p, "http://127.0.0.1:%d" % port, requests


def slow_rounds(command, *args):
    """The rounds in which the requests of a command come: a server that answers after 0.3 s tells them apart."""
    arrived.clear()
    slow_rounds.out = tool(command, HOST + "/slow/x.tacozip", *args)[1]
    return 1 + sum(b - a > 0.2 for a, b in zip(arrived, arrived[1:]))


def counted():
    p, host, requests = start_counted(os.path.dirname(os.path.abspath(BIG)))
    try:
        url = host + "/" + os.path.basename(BIG)
        status, out, err = tool("collection", url, "--to", "stac")
        opened = requests()
        check(status == 0 and len(opened) <= 2, "a dataset opens in two requests, not", len(opened), err)
        # what info says of rows and bytes by type is in two columns of every row group: they come in one round
        status, out, err = tool("info", url)
        asked = requests()
        rounds = slow_rounds("info")
        took = sum(r["b"] for r in asked)
        print("info: %d requests in %d rounds with those that open, %d bytes" % (len(asked), rounds, took))
        check(status == 0 and rounds <= 2 + 2, "info: rounds", rounds, err)
        check(took < METADATA / 50, "info: bytes", took, "of", METADATA)
        here = tool("query", BIG, "--where", WHERE, "--select", "id")[1]
        status, there, err = tool("query", url, "--where", WHERE, "--select", "id")
        asked = requests()
        check(status == 0 and here == there and here.count("\n") > 2, "filter: the same rows", err)
        took = sum(r["b"] for r in asked)
        rounds = slow_rounds("query", "--where", WHERE, "--select", "id")
        there = slow_rounds.out
        check(here == there, "filter: the same rows of a slow server")
        check(rounds <= 2 + 3, "filter: two rounds to open and three more at most, not", rounds)
        print("opened in %d requests; filter: %d requests in %d rounds with those that open, %d bytes of %d of metadata" % (len(opened), len(asked), rounds, took, METADATA))
        check(took < METADATA / 10, "filter: bytes", took, "of", METADATA)
        status, out, err = tool("query", url, "--where", WHERE, "--select", "id", "-v")
        told = re.search(r"(\d+) bytes read in (\d+) requests", err)
        really = requests()
        check(told and int(told[2]) == len(really) and int(told[1]) == sum(r["b"] for r in really), "-v tells the requests", err, len(really))
    finally:
        p.terminate()
        p.wait()


def with_wheel():
    import taco_h

    check(taco_h.parts()["curl"], "the wheel has curl")
    local = [r["id"] for r in taco_h.open(DATA / "nested.tacozip")]
    seen.clear()
    ds = taco_h.open(HOST + "/plain/nested.tacozip")
    check([r["id"] for r in ds] == local and len(seen) <= 2, "wheel: rows", seen)
    check(ds.payload("tile_01/note") == b"note 1", "wheel: payload")
    check(ds.vsi("tile_01").startswith("/vsisubfile/8008_1972,/vsicurl/http://"), "wheel: vsi")
    os.environ.update({"AWS_ENDPOINT_URL": HOST, "AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": SECRET})
    check(len(taco_h.open("s3://bucket/nested.tacozip")) == 4, "wheel: s3")
    for how, word in ("403", "403"), ("404", "404"), ("nosize", "how large"):
        try:
            taco_h.open("%s/%s/nested.tacozip" % (HOST, how))
            check(False, "wheel:", how, "opened")
        except taco_h.TacoIOError as e:
            check(word in str(e), "wheel:", how, e)


def with_gdal():
    """taco_gdal.h, where there are GDAL's headers."""
    here = pathlib.Path(__file__).parent
    if not shutil.which("gdal-config"):
        print("SKIPPED taco_gdal.h: no gdal-config")
        return
    flags = subprocess.check_output("gdal-config --cflags | sed 's/-I/-isystem /'; gdal-config --libs", shell=True, text=True).split()
    program = os.path.join(A.dir, "gdal_opener")
    subprocess.run(["gcc", "-std=c99", "-D_DEFAULT_SOURCE", "-O0", "-Wall", "-Wextra", "-Werror", "-I", here.parents[1], here / "gdal_opener.c", *flags, "-o", program], check=True)
    url = HOST + "/plain/nested.tacozip"
    got = subprocess.run([program, url], capture_output=True, text=True)
    check(got.returncode == 0 and got.stdout == tool("query", url, "--format", "vsi")[1], "gdal", got)
    got = subprocess.run([program, HOST + "/404/x.tacozip"], capture_output=True, text=True)
    check(got.returncode == 1 and not got.stdout, "gdal: 404", got)


def with_other_commands():
    """What is not about rows reads URLs, too."""
    got = tool("validate", HOST + "/plain/nested.tacozip", "--deep")
    check(got[0] == 0 and got[1].endswith("\nvalid: 16 rows, 2 warnings\n") and got[1].count("extent: ") == 2, "validate", got)
    got = tool("validate", HOST + "/plain/refbug_unsorted.tacozip", "--quiet")
    check(got[0] == 1 and got[1].count("error: ") == 17, "validate: errors", got)
    got = tool("validate", HOST + "/404/x.tacozip")
    check(got[0] == 1 and "404" in got[2] and got[2].count("\n") == 1, "validate: 404", got)
    got = tool("parquet", "verify", HOST + "/plain/nested_folder/METADATA/level0.parquet")
    check(got[0] == 0 and got[1].startswith("good: 4 rows"), "parquet verify", got)
    got = tool("rasteret", "header", HOST + "/404/x.tif")
    check(got[0] == 1 and "404" in got[2], "rasteret header: 404", got)
    for command, out in (("zip2folder", "far"), ("export", "far.tacozip")):
        got = tool(command, HOST + "/plain/nested.tacozip", os.path.join(A.dir, out), "--overwrite", "--quiet")
        check(got[0] == 0, command, got)
        got = tool("validate", os.path.join(A.dir, out), "--deep")
        check(got[0] == 0 and got[1].endswith("valid: 16 rows, %d warnings\n" % (2 if out == "far" else 0)), command + ": valid", got)
    got = tool("report", HOST + "/plain/geo_stac.tacozip", "--thumbnails", "0")
    check(got[0] == 0 and "10 footprints" in got[1], "report", got[2])


def with_duckdb():
    """The DuckDB extension, in this process."""
    import duckdb
    os.environ["no_proxy"] = "127.0.0.1"
    db = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    db.load_extension(os.path.abspath(A.duckdb))
    url = HOST + "/plain/nested.tacozip"
    got = db.execute("SELECT id, \"internal:gdal_vsi\" FROM read_taco('%s')" % url).fetchall()
    check([r[0] for r in got] == ["tile_00", "tile_01", "tile_02", "tile_03"] and got[0][1] == "/vsisubfile/5991_1966,/vsicurl/" + url, "duckdb", got)
    check(db.execute("SELECT count(*) FROM '%s'" % url).fetchall() == [(4,)], "duckdb: FROM a URL")
    got = db.execute("SELECT count(*) FROM read_taco(['%s', '%s'])" % (url, DATA / "nested.tacozip")).fetchall()
    check(got == [(8,)], "duckdb: a URL and a file", got)
    os.environ.update({"AWS_ENDPOINT_URL": HOST, "AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": SECRET})
    check(db.execute("SELECT count(*) FROM 's3://bucket/nested.tacozip'").fetchall() == [(4,)], "duckdb: s3")
    try:
        db.execute("FROM read_taco('%s/404/x.tacozip')" % HOST)
        check(False, "duckdb: 404")
    except duckdb.Error as e:
        check("404" in str(e), "duckdb: 404", e)


BIG = A.big or os.path.join(A.dir, "flat_100000.tacozip")
if not os.path.exists(BIG):
    subprocess.run([sys.executable, os.path.join(A.shared, "tools", "make_big.py"), "flat", "--n", "100000", "--out", BIG], check=True)
WHERE = "cloud_cover > 98.6"  # about one row in a thousand
with zipfile.ZipFile(BIG) as z:
    METADATA = sum(i.compress_size for i in z.infolist() if i.filename.startswith("METADATA/"))
with_faults()
with_s3()
counted()
with_gdal()
with_other_commands()
if A.duckdb:
    with_duckdb()
if A.wheel:
    with_wheel()
print("remote: %d checks, %d failed" % (checks, failures))
sys.exit(1 if failures or checks < 30 else 0)
