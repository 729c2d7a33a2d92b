# What the truth does not have is named and counted.
"$PYTHON" "$CLI/make_masks.py" truth/a 4x4 3 1:0,0,4,2
"$PYTHON" "$CLI/make_masks.py" pred/a 4x4 4 1:0,0,4,3
"$PYTHON" "$CLI/make_masks.py" pred/b 4x4 4 1:0,0,4,3
touch pred/a/notes.txt
"$DENSEVAL" jf --truth truth --pred pred --json | $JSON j_mean unused_sequences unused_frames
