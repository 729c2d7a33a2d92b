# Pictures to draw over; what is missing or of another size is listed, or with --skip-bad gray.
"$PYTHON" "$CLI/make_masks.py" truth/a 20x20 4 1:4,4,8,8
"$PYTHON" "$CLI/make_masks.py" pred/a 20x20 4 1:4,8,8,8
"$PYTHON" "$CLI/make_masks.py" images/a 20x20 4 255:0,0,20,20 --store gray
"$DENSEVAL" jf --truth truth --pred pred --worst 2 --images images --out out >/dev/null
"$PYTHON" "$CLI/jf/pixels.py" out/worst/a_00001_1.png 0,0 6,9
rm images/a/00001.png
"$PYTHON" "$CLI/make_masks.py" other 20x30 4 255:0,0,20,20 --store gray
cp other/00002.png images/a
"$DENSEVAL" jf --truth truth --pred pred --worst 2 --images images --out again
echo $?
ls
"$DENSEVAL" jf --truth truth --pred pred --worst 2 --images images --out again --skip-bad >/dev/null
"$PYTHON" "$CLI/jf/pixels.py" again/worst/a_00001_1.png 0,0
"$DENSEVAL" jf --truth truth --pred pred --worst 2 --images images
echo $?
"$DENSEVAL" jf --truth truth --pred pred --plots
