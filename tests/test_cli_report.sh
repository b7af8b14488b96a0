#!/bin/sh
# test_cli_report.sh - taco report: one page that needs nothing else, with everything from the dataset escaped, numbers that are
# those of the rows, and pictures where gdal_translate is found (a program of ours stands for it).
. tests/cli.sh

# has NAME TEXT: the page holds it; lacks: it does not
has() { if grep -qF -e "$2" "$dir/page"; then good; else bad "$1: no '$2' in the page"; fi; }
lacks() { if grep -qF -e "$2" "$dir/page"; then bad "$1: '$2' is in the page"; else good; fi; }
report() { "$taco" report "$@" >"$dir/page" 2>"$dir/err" && good || bad "report $*: $(cat "$dir/err")"; }

mkdir "$dir/bin" "$dir/src"
PATH=$dir/bin:$PATH

# ---- what a page has
report "$data/geo_stac.tacozip" --thumbnails 0
has 'a whole page' '</html>'
has 'facts' '<dt>version</dt><dd>1.0.0</dd>'
has 'extent' '<dd>0, -16.5 to 180, 51.5 (west, south to east, north)</dd>'
has 'time' '<dt>time</dt><dd>1969-07-21T08:17:00Z to 2023-03-01T12:00:01Z</dd>'
has 'members without a value are left out' '<dt>providers</dt><dd>name: Fixture maker, roles: producer, url: https://example.org</dd>'
has 'a map' '<svg class="map"'
has 'land' '<path class="land"'
has 'degrees' '60&#176;W</text>'
has 'how many' '10 footprints'
has 'levels' '<td>FILE</td><td class="number">10</td><td class="number">9,095</td>'
has 'a histogram' '<h3>scaling:scale_factor</h3><p class="soft">10 values, mean 0.55'
has 'null' '<h3>stac:time_end</h3><p class="soft">5 values, 5 null'
has 'classes' 'EPSG:4326</span><span><b style="width:100.0%"></b></span><span class="count">10 (100 %)'
has 'pixels' '<td class="number">13.6667</td>'
lacks 'no pictures' '<img'
lacks 'no scripts' '<script'
lacks 'nothing from elsewhere' 'src="http'
[ "$(grep -o '<rect class="bar"[^>]*><title>[0-9]*' "$dir/page" | sed 's/.*>//' | awk '{ n += $1 } END { print n }')" = 40 ] && good ||
    bad "the bars of two columns of 10, two of 5 and one of 10 values do not add up: $(grep -c 'class="bar"' "$dir/page")"
[ "$(grep -c 'class="tile"' "$dir/page")" -eq 10 ] && good || bad 'footprints'
report "$data/nested.tacozip" --thumbnails 0
has 'where on the globe' '<svg class="globe"'
has 'a deeper level' '<h2>Columns of level 1</h2>'
has 'its classes' 'label</span><span><b style="width:100.0%"></b></span><span class="count">4 (33.3 %)'
lacks 'a map too small for the outline' '<rect class="sea" width="1000"'
report "$data/geo_istac.tacozip" --thumbnails 0
has 'polygons' '<path class="tile" d="M'
report "$data/types.tacozip" --thumbnails 0
lacks 'no places' '<h2>Where</h2>'

# ---- filters
report "$data/geo_stac.tacozip" --where "id IN ('p1', 'p2')" --thumbnails 0
has 'filtered' '<dt>shown</dt><dd>2 samples, which the filters leave</dd>'
has 'filtered rows' '<h3>scaling:scale_factor</h3><p class="soft">2 values, mean 0.25'
has 'filtered places' '2 footprints'

# ---- nothing of a dataset is markup
cat >"$dir/c.json" <<'END'
{"id": "x", "title": "<script>alert(1)</script> & \"a\" 'b'", "dataset_version": "1\"><b>", "description": "<img src=x onerror=y>",
 "licenses": ["</dd><i>"], "keywords": ["<u>"], "providers": [{"name": "</style>"}], "tasks": ["other"]}
END
printf 'id,kind,n\n' >"$dir/s.csv"
for i in 0 1 2 3; do
    echo "$i" >"$dir/src/s$i"
    printf 's%d,</span><script>%d,%d\n' $i $((i / 3)) $i >>"$dir/s.csv"
done
is 'create' '' create "$dir/src" "$dir/x.tacozip" --collection "$dir/c.json" --samples "$dir/s.csv"
report "$dir/x.tacozip" --thumbnails 0
for markup in '<script' '<img' '<b>' '<i>' '<u>' '</style>&'; do lacks 'markup' "$markup"; done
[ "$(grep -c '</style>' "$dir/page")" -eq 1 ] && good || bad 'the end of the style'
has 'title' '<h1>&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;a&quot; &#39;b&#39;</h1>'
has 'class' '&lt;/span&gt;&lt;script&gt;0</span>'

if command -v script >/dev/null && script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
    script -qec "'$taco' report '$data/geo_stac.tacozip'" /dev/null </dev/null | grep -q '^taco: report needs a file for its page: -o report.html' && good || bad 'a page on a terminal'
else echo 'SKIPPED a page on a terminal: no script(1)'; fi

# ---- pictures: what the program printed, and how it was called
cat >"$dir/bin/gdal_translate" <<END
#!/bin/sh
echo "\$*" >>"$dir/calls"
case "\$*" in *'-b 3'*) exit 1 ;; esac
printf '\\211PNG\\r\\n\\032\\nrest'
END
chmod +x "$dir/bin/gdal_translate"
report "$data/nested.tacozip" --thumbnails 3
[ "$(grep -c '<img alt="" src="data:image/png;base64,iVBORw0KGgpyZXN0">' "$dir/page")" -eq 3 ] && good || bad "pictures: $(grep '<img' "$dir/page")"
has 'whose' '<figcaption>tile_00</figcaption>'
[ "$(wc -l <"$dir/calls")" -eq 6 ] && grep -q 'if GTiff .*-b 1 /vsisubfile/.*nested.tacozip /vsistdout/$' "$dir/calls" && good || bad "calls: $(cat "$dir/calls")"
printf '#!/bin/sh\necho no picture\n' >"$dir/bin/gdal_translate"
report "$data/nested.tacozip"
lacks 'what is no PNG' '<img'
has 'a page without' '</html>'

# ---- its file
is 'into a file' '' report "$data/nested.tacozip" -o "$dir/r.html" --thumbnails 0
refuses 'what is there' 1 'r.html: exists; --overwrite replaces it' report "$data/nested.tacozip" -o "$dir/r.html"
is 'replaced' '' report "$data/nested.tacozip" -o "$dir/r.html" --overwrite --thumbnails 0
refuses 'too many' 2 '--thumbnails: must be at most 100' report "$data/nested.tacozip" --thumbnails 101
refuses 'no dataset' 1 'nothing.tacozip' report "$dir/nothing.tacozip" -o "$dir/none.html"
[ -e "$dir/none.html" ] && bad 'a page of nothing' || good
result
