for size in 75x100 300x400 480x854 600x800; do
    "$PYTHON" "$CLI/make_masks.py" truth/$size $size 1 1:0,0,4,4
    "$PYTHON" "$CLI/make_masks.py" pred/$size $size 1 1:0,0,4,3
done
"$DENSEVAL" jf --truth truth --pred pred --ends none --json | $JSON sequences.0.radius_px sequences.1.radius_px sequences.2.radius_px sequences.3.radius_px sequences.2.size settings.bound
