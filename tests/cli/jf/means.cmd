# One object that is right, three in another sequence that are wrong.
"$PYTHON" "$CLI/make_masks.py" truth/a 10x10 3 1:0,0,4,4
"$PYTHON" "$CLI/make_masks.py" pred/a 10x10 3 1:0,0,4,4
"$PYTHON" "$CLI/make_masks.py" truth/b 10x10 4 1:0,0,2,2 2:0,4,2,2 3:4,0,2,2
"$PYTHON" "$CLI/make_masks.py" pred/b 10x10 4 1:8,0,2,2 2:8,4,2,2 3:8,8,2,2
"$DENSEVAL" jf --truth truth --pred pred --json | $JSON j_mean objects per_sequence.j_mean per_sequence.sequences per_frame.j_mean per_frame.frames
