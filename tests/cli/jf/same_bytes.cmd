# Whatever backend and threads are; resources.json alone differs.
for i in a b c; do
    "$PYTHON" "$CLI/make_masks.py" truth/$i 30x40 5 1:3,4,9,9 2:12,20,11,12
    "$PYTHON" "$CLI/make_masks.py" pred/$i 30x40 5 1:4,5,9,9 2:12,18,11,12
done
"$DENSEVAL" jf --truth truth --pred pred --out one --threads 1 >/dev/null
"$DENSEVAL" jf --truth truth --pred pred --out two --threads 2 >/dev/null
"$DENSEVAL" jf --truth truth --pred pred --out three --backend reference >/dev/null
for other in two three; do diff -rq one $other; done
