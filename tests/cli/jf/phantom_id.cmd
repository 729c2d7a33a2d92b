"$PYTHON" "$CLI/make_masks.py" truth/a 4x6 3 1:0,0,4,3 3:0,3,4,3
"$PYTHON" "$CLI/make_masks.py" pred/a 4x6 3 1:0,0,4,3 3:0,3,4,3 2:0,2,4,2@1-1
"$DENSEVAL" jf --truth truth --pred pred --extra-ids ignore --json | $JSON j_mean extra_ids settings.extra_ids
"$DENSEVAL" jf --truth truth --pred pred --extra-ids false-positive --json >found.json
$JSON j_mean sequences.0.objects.2.id sequences.0.objects.2.extra sequences.0.objects.2.j <found.json
"$DENSEVAL" jf --truth truth --pred pred
