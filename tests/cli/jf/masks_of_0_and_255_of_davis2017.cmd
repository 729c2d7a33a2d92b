"$PYTHON" "$CLI/make_masks.py" truth/a 48x85 3 255:10,10,20,20
"$PYTHON" "$CLI/make_masks.py" pred/a 48x85 3 255:10,10,20,20
"$DENSEVAL" jf --truth truth --pred pred
