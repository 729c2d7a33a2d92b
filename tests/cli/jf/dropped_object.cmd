# An id that the prediction lacks is an empty mask.
"$PYTHON" "$CLI/make_masks.py" truth/a 10x10 3 1:0,0,4,4 2:5,5,4,4
"$PYTHON" "$CLI/make_masks.py" pred/a 10x10 3 1:0,0,4,4
"$DENSEVAL" jf --truth truth --pred pred --json | $JSON j_mean sequences.0.objects.0.j_mean sequences.0.objects.1.j_mean sequences.0.objects.1.j
