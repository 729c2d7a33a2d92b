# Object 2 comes in frame 3; then the prediction has a pixel of it in frame 1.
"$PYTHON" "$CLI/make_masks.py" truth/a 10x10 6 1:0,0,4,4 2:5,5,2,2@3-5
"$PYTHON" "$CLI/make_masks.py" pred/a 10x10 6 1:0,0,4,4 2:5,5,2,2@3-5
for objects in first-frame appearance seen all; do
    "$DENSEVAL" jf --truth truth --pred pred --objects $objects --json --quiet | $JSON sequences.0.objects >objects.json
    echo $objects $("$PYTHON" "$CLI/jf/objects.py" <objects.json)
done
"$PYTHON" "$CLI/make_masks.py" pred/a 10x10 6 1:0,0,4,4 2:5,5,2,2@3-5 2:9,9,1,1@1-1
for objects in first-frame appearance seen all; do
    "$DENSEVAL" jf --truth truth --pred pred --objects $objects --json | $JSON sequences.0.objects >objects.json
    echo $objects $("$PYTHON" "$CLI/jf/objects.py" <objects.json)
done
