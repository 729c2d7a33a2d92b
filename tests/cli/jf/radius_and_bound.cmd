"$PYTHON" "$CLI/make_masks.py" truth/a 10x10 3 1:0,0,4,4
"$DENSEVAL" jf --truth truth --pred pred --radius 2 --bound 0.01
