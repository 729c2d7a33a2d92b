# A false positive is scored where it shows, so that it never raises a mean; by "seen" from there on, as vos-benchmark does.
"$PYTHON" "$CLI/make_masks.py" truth/a 4x6 6 1:0,0,4,2
"$PYTHON" "$CLI/make_masks.py" pred/a 4x6 6 1:0,0,4,2 2:0,4,4,1@2-2
for objects in first-frame appearance all seen; do
    "$DENSEVAL" jf --truth truth --pred pred --extra-ids false-positive --objects $objects --json | $JSON sequences.0.objects | "$PYTHON" "$CLI/jf/objects.py"
done
"$DENSEVAL" jf --truth truth --pred pred --extra-ids false-positive --json | $JSON sequences.0.frame_names sequences.0.objects.1.frame_names
