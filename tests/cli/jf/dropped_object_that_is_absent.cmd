# Where the truth does not show it either, that is right.
"$PYTHON" "$CLI/make_masks.py" truth/a 10x10 4 1:0,0,4,4 2:5,5,4,4@0-1
"$PYTHON" "$CLI/make_masks.py" pred/a 10x10 4 1:0,0,4,4
"$DENSEVAL" jf --truth truth --pred pred --json | $JSON sequences.0.objects.1.j sequences.0.objects.1.f
