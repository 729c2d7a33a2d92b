# Ids below the highest of the first frame are objects, too: absent from both sides they score 1.
"$PYTHON" "$CLI/make_masks.py" truth/a 10x10 3 1:0,0,4,4 3:5,5,2,2
"$PYTHON" "$CLI/make_masks.py" pred/a 10x10 3 1:0,0,4,4 3:5,5,2,2
"$DENSEVAL" jf --truth truth --pred pred --objects first-frame-max --json --quiet | $JSON sequences.0.objects | "$PYTHON" "$CLI/jf/objects.py"
"$PYTHON" "$CLI/make_masks.py" pred/a 10x10 3 1:0,0,4,4 3:5,5,2,2 2:9,9,1,1
"$DENSEVAL" jf --truth truth --pred pred --objects first-frame-max --json | $JSON sequences.0.objects | "$PYTHON" "$CLI/jf/objects.py"
