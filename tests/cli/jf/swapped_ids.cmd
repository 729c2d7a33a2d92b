"$PYTHON" "$CLI/make_masks.py" truth/a 20x20 3 1:0,0,5,5 2:10,10,5,5
"$PYTHON" "$CLI/make_masks.py" pred/a 20x20 3 2:0,0,5,5 1:10,10,5,5
for assign in identity jf j; do "$DENSEVAL" jf --truth truth --pred pred --assign $assign --json | $JSON j_mean settings.assign; done
"$DENSEVAL" jf --truth truth --pred pred --protocol davis2017-unsup --json | $JSON j_mean settings.assign sequences.0.objects.0.matched_id sequences.0.objects.1.matched_id
"$DENSEVAL" jf --truth truth --pred pred --protocol davis2017-unsup --assign identity --json | $JSON j_mean settings.assign
