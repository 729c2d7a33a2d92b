# JSON holds 17 significant digits.
"$PYTHON" "$CLI/make_masks.py" truth/a 4x4 3 1:0,0,4,2
"$PYTHON" "$CLI/make_masks.py" pred/a 4x4 3 1:0,0,4,3
"$DENSEVAL" jf --truth truth --pred pred --json | grep '"j_mean"' | tr -d ' ,' | sort -u
