# Every policy that was in force is told.
"$PYTHON" "$CLI/make_masks.py" truth/a 4x4 3 1:0,0,4,2
"$PYTHON" "$CLI/make_masks.py" pred/a 4x4 3 1:0,0,4,3
"$DENSEVAL" jf --truth truth --pred pred --json | $JSON settings inputs.0.path inputs.1.path inputs.0.size | sed 's/, "/,\n"/g'
"$DENSEVAL" jf --truth truth --pred pred --protocol davis2017-unsup --json | $JSON settings | sed 's/, "/,\n"/g'
