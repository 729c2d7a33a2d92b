# Over gray: 144 where neither is, of a colour 160 of 256 parts over it: found green, added orange, missed blue, contours white and yellow.
"$PYTHON" "$CLI/make_masks.py" truth/a 20x20 3 1:4,4,8,8
"$PYTHON" "$CLI/make_masks.py" pred/a 20x20 3 1:4,8,8,8
"$DENSEVAL" jf --truth truth --pred pred --worst 1 --out out >/dev/null
ls out out/worst
"$PYTHON" "$CLI/png_size.py" out/worst/a_00001_1.png
"$PYTHON" "$CLI/jf/pixels.py" out/worst/a_00001_1.png 0,0 6,9 6,14 6,6 6,4 6,8 6,15
$JSON worst <out/results.json
"$DENSEVAL" jf --truth truth --pred pred --worst 1 --out out --force >/dev/null
