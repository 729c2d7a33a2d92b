# The next run would take a result for a sequence.
"$PYTHON" "$CLI/make_masks.py" truth/a 10x10 3 1:0,0,4,4
"$PYTHON" "$CLI/make_masks.py" pred/a 10x10 3 1:0,0,4,4
for out in truth/res pred/a/x truth/../pred/res ./truth/res/ "$PWD/truth/res"; do
    "$DENSEVAL" jf --truth truth --pred pred --out "$out" 2>&1 | sed "s|$PWD|HERE|"
done
ls truth pred
"$DENSEVAL" jf --truth truth --pred pred --out beside --quiet && ls -d beside
