# A square of 10 x 10, moved right by 1 to 4 pixels; the radius is 2.
for move in 1 2 3 4; do
    "$PYTHON" "$CLI/make_masks.py" truth/$move 100x100 1 1:20,20,10,10
    "$PYTHON" "$CLI/make_masks.py" pred/$move 100x100 1 1:20,$((20 + move)),10,10
done
"$DENSEVAL" jf --truth truth --pred pred --ends none --json >found.json
for i in 0 1 2 3; do $JSON sequences.$i.j_mean sequences.$i.f_mean <found.json | awk '{printf "%.6f\n", $1}'; done
