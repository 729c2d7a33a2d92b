"$PYTHON" "$CLI/make_masks.py" truth/a 40x40 1 1:7,14,10,6 2:18,14,10,13
"$PYTHON" "$CLI/make_masks.py" pred/a 40x40 1 1:23,8,9,6 2:12,19,10,12
for assign in jf j; do
    "$DENSEVAL" jf --truth truth --pred pred --protocol davis2017-unsup --assign $assign --json >found.json
    $JSON sequences.0.objects.0.matched_id sequences.0.objects.1.matched_id <found.json
    $JSON j_mean f_mean <found.json | awk '{printf "%.6f\n", $1}'
done
