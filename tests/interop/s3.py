"""Buckets: s3.py TACO PLUGIN DIRECTORY, with a Python that has moto[s3,server] and boto3.

moto is a server of S3 on this machine: it computes the signatures of requests with Amazon's own package, and knows public and
private objects. The tool reads s3:// paths; taco_gdal.h and /vsitaco/ read and write /vsis3/ paths."""
import json, os, pathlib, shutil, socket, subprocess, sys, time, urllib.request

import boto3

HERE = pathlib.Path(__file__).resolve().parent
TACO, PLUGIN = (os.path.abspath(p) for p in sys.argv[1:3])
DIR = pathlib.Path(sys.argv[3]).resolve()
ODD = "a b/\u00fc+(1)=~&.tacozip"  # a key that URLs and signatures have to escape
checks = failures = 0
with socket.socket() as s:
    s.bind(("127.0.0.1", 0))
    HOST = "127.0.0.1:%d" % s.getsockname()[1]


def check(ok, *what):
    global checks, failures
    checks += 1
    if not ok:
        failures += 1
        print("FAIL", *[str(w)[:600] for w in what])


def run(env, *command, stdin=None):
    base = {k: v for k, v in os.environ.items() if not k.startswith("AWS_")}
    return subprocess.run(command, env={**base, "HOME": str(DIR), "GDAL_PAM_ENABLED": "NO", "GDAL_DRIVER_PATH": os.path.dirname(PLUGIN), **env}, capture_output=True, text=True, stdin=stdin)


def make():
    """An archive of one image, and the programs."""
    shutil.rmtree(DIR, ignore_errors=True)
    (DIR / "source").mkdir(parents=True)
    rows = ["ncols 90\nnrows 60\nxllcorner 300000\nyllcorner 8500000\ncellsize 10"] + [" ".join(str((7 * x + 3 * y) % 251) for x in range(90)) for y in range(60)]
    (DIR / "plain.asc").write_text("\n".join(rows) + "\n")
    subprocess.run(["gdal_translate", "-q", "-ot", "Byte", "-a_srs", "EPSG:32718", DIR / "plain.asc", DIR / "source" / "a.tif"], check=True)
    (DIR / "collection.json").write_text(json.dumps({"id": "g", "dataset_version": "1.0.0", "description": "d", "licenses": ["CC-BY-4.0"], "providers": [{"name": "N"}], "tasks": ["classification"]}))
    subprocess.run([TACO, "create", DIR / "source", DIR / "g.tacozip", "--include", "*.tif", "--collection", DIR / "collection.json"], check=True, capture_output=True)
    flags = subprocess.check_output("gdal-config --cflags | sed 's/-I/-isystem /'; gdal-config --libs", shell=True, text=True).split()
    for name in "gdal_opener", "gdal_writer":
        subprocess.run(["gcc", "-std=c99", "-O0", "-Wall", "-Wextra", "-Werror", "-I", HERE.parents[1], HERE / (name + ".c"), *flags, "-o", DIR / name], check=True)


def serve():
    """The server, two buckets in it, and the keys of a user who may read and write."""
    log = open(DIR / "moto.log", "w")
    server = subprocess.Popen([sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", HOST.split(":")[1]], stdout=log, stderr=log)
    for _ in range(300):
        try:
            urllib.request.urlopen("http://%s/moto-api/" % HOST)
            break
        except OSError:
            time.sleep(0.1)
    how = dict(endpoint_url="http://" + HOST, aws_access_key_id="x", aws_secret_access_key="y", region_name="us-east-1")
    iam, s3 = boto3.client("iam", **how), boto3.client("s3", **how)
    iam.create_user(UserName="u")
    iam.put_user_policy(UserName="u", PolicyName="p", PolicyDocument=json.dumps({"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}))
    key = iam.create_access_key(UserName="u")["AccessKey"]
    content = (DIR / "g.tacozip").read_bytes()
    for bucket, acl in ("private", "private"), ("open", "public-read"):
        s3.create_bucket(Bucket=bucket)
        for name in "g.tacozip", ODD:
            s3.put_object(Bucket=bucket, Key=name, Body=content, ACL=acl)
    return server, {"AWS_ACCESS_KEY_ID": key["AccessKeyId"], "AWS_SECRET_ACCESS_KEY": key["SecretAccessKey"], "AWS_REGION": "us-east-1"}


def signatures(wanted):
    """From here on the server checks those of all requests, or of none."""
    count = b"0" if wanted else b"inf"
    urllib.request.urlopen(urllib.request.Request("http://%s/moto-api/reset-auth" % HOST, data=count, headers={"Content-Type": "text/plain"}))


def signed(tool, gdal, keys):
    rows = run({}, TACO, "query", DIR / "g.tacozip", "--select", "id,internal:size", "--format", "csv").stdout
    info = run({}, "gdalinfo", "-stats", "-checksum", DIR / "source" / "a.tif").stdout.split("\n")[2:]
    wrong = {**keys, "AWS_SECRET_ACCESS_KEY": "wrong"}
    other = {**gdal, "AWS_S3_ENDPOINT": HOST.replace("127.0.0.1", "localhost"), "AWS_VIRTUAL_HOSTING": "TRUE"}
    for name in "g.tacozip", ODD:
        path = "private/" + name
        got = run({**tool, **keys}, TACO, "query", "s3://" + path, "--select", "id,internal:size", "--format", "csv")
        check(got.returncode == 0 and got.stdout == rows, "the tool", path, got.stdout, got.stderr)
        got = run({**tool, **wrong}, TACO, "query", "s3://" + path)
        check(got.returncode == 1 and got.stderr == "s3://%s: the server refuses access (403)\n" % path, "the tool: a wrong key", got.stderr)
        for env in gdal, other:
            got = run({**env, **keys}, "gdalinfo", "-stats", "-checksum", "/vsitaco/{/vsis3/%s}/a.tif" % path)
            check(got.returncode == 0 and got.stdout.split("\n")[2:] == info, "gdalinfo", path, got.stdout, got.stderr)
        got = run({**gdal, **wrong}, "gdalinfo", "/vsitaco/{/vsis3/%s}/a.tif" % path)
        check(got.returncode == 1 and path in got.stderr and "Success" not in got.stderr, "gdalinfo: a wrong key", got.stderr)
        got = run({**gdal, **keys}, DIR / "gdal_opener", "/vsis3/" + path, "a.tif")
        check(got.returncode == 0 and got.stdout.endswith(",/vsis3/%s\n90 x 60\n" % path), "taco_gdal_open_file", got.stdout, got.stderr)
        inside = run({**tool, **keys}, TACO, "query", "s3://" + path, "--format", "vsi").stdout.strip()
        got = run({**gdal, **keys}, "gdalinfo", "-stats", "-checksum", inside)
        check(inside.endswith("/vsis3/" + path) and got.stdout.split("\n")[2:] == info, "the tool's paths in gdalinfo", inside, got.stderr)
    got = run({**gdal, **keys}, "gdalinfo", "/vsitaco//vsis3/private/none.tacozip/a.tif")
    check(got.returncode == 1 and "No such file or directory" in got.stderr and "GDAL says" not in got.stderr, "no such object", got.stderr)
    got = run({**tool, **keys}, TACO, "info", "s3://private/none.tacozip")
    check(got.returncode == 1 and "there is no such file (404)" in got.stderr, "the tool: no such object", got.stderr)


def written(gdal, keys, tool):
    env = {**gdal, **keys, "CPL_VSIL_USE_TEMP_FILE_FOR_RANDOM_WRITE": "YES"}
    with open(DIR / "source" / "a.tif", "rb") as f:
        got = run(env, DIR / "gdal_writer", "/vsis3/private/made.tacozip", stdin=f)
    check(got.returncode == 0, "taco_gdal_sink", got.stdout, got.stderr)
    got = run({**gdal, **keys}, "gdalinfo", "-checksum", "/vsitaco//vsis3/private/made.tacozip/a.tif")
    check(got.stdout.split("\n")[2:] == run({}, "gdalinfo", "-checksum", DIR / "source" / "a.tif").stdout.split("\n")[2:], "what it wrote", got.stdout, got.stderr)
    got = run({**tool, **keys}, TACO, "validate", "s3://private/made.tacozip")
    check(got.returncode == 0, "what it wrote is valid", got.stdout, got.stderr)
    got = run({**env, "AWS_SECRET_ACCESS_KEY": "wrong"}, DIR / "gdal_writer", "/vsis3/private/other.tacozip", stdin=subprocess.DEVNULL)
    check(got.returncode == 1 and got.stderr, "taco_gdal_sink: a wrong key", got.stderr)
    got = run({**tool, **keys}, TACO, "info", "s3://private/other.tacozip")
    check(got.returncode == 1 and "(404)" in got.stderr, "taco_gdal_sink: nothing is left", got.stderr)


def public(tool, gdal):
    none = {"AWS_NO_SIGN_REQUEST": "YES"}
    for name in "g.tacozip", ODD:
        got = run({**tool, **none}, TACO, "info", "s3://open/" + name)
        check(got.returncode == 0, "the tool: public", got.stderr)
        got = run({**tool, **none}, TACO, "info", "s3://private/" + name)
        check(got.returncode == 1 and "refuses access (403)" in got.stderr, "the tool: private", got.stderr)
        got = run({**gdal, **none}, "gdalinfo", "/vsitaco/{/vsis3/open/%s}/a.tif" % name)
        check(got.returncode == 0 and "Size is 90, 60" in got.stdout, "gdalinfo: public", got.stderr)
        got = run({**gdal, **none}, "gdalinfo", "/vsitaco/{/vsis3/private/%s}/a.tif" % name)
        check(got.returncode == 1, "gdalinfo: private", got.stdout)


def switched(keys):
    """AWS_HTTPS: what is off speaks HTTP with the server, and all else TLS, which this server has not."""
    for value, off in ("NO", True), ("off", True), ("False", True), ("0", True), ("YES", False), ("o", False), ("nothing", False), ("10", False):
        got = run({**keys, "AWS_S3_ENDPOINT": HOST, "AWS_HTTPS": value}, TACO, "info", "s3://private/g.tacozip")
        check(got.returncode == (0 if off else 1), "AWS_HTTPS", value, got.stdout, got.stderr)


make()
server, KEYS = serve()
try:
    GDAL = {"AWS_S3_ENDPOINT": HOST, "AWS_HTTPS": "NO", "AWS_VIRTUAL_HOSTING": "FALSE"}
    signatures(True)
    for endpoint in {"AWS_ENDPOINT_URL": "http://" + HOST}, GDAL:  # the tool takes GDAL's, too
        signed(endpoint, GDAL, KEYS)
    switched(KEYS)
    written(GDAL, KEYS, GDAL)
    signatures(False)
    public(GDAL, GDAL)
finally:
    server.terminate()
    server.wait()
print("s3: %d checks, %d failed" % (checks, failures))
sys.exit(1 if failures or checks < 30 else 0)
