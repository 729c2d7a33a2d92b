"$PYTHON" "$CLI/make_masks.py" truth/a 48x84 3 1:0,0,4,4
"$PYTHON" "$CLI/make_masks.py" pred/a 48x84 3 1:0,0,4,4
"$PYTHON" "$CLI/make_masks.py" other 24x42 2 1:0,0,2,2
cp other/00001.png pred/a/00001.png
"$DENSEVAL" jf --truth truth --pred pred
echo $?
"$DENSEVAL" jf --truth truth --pred pred --resize nearest --json 2>/dev/null | $JSON jf_mean settings.resize
"$DENSEVAL" jf --truth truth --pred pred --skip-bad --ends none --json --quiet | $JSON jf_mean sequences.0.frames skipped partial
