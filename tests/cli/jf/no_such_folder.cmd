"$PYTHON" "$CLI/make_masks.py" truth/a 4x4 3 1:0,0,4,2
"$DENSEVAL" jf --truth truth --pred pred
