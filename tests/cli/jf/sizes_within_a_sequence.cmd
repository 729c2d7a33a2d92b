"$PYTHON" "$CLI/make_masks.py" truth/a 10x10 3 1:0,0,4,4
"$PYTHON" "$CLI/make_masks.py" other 12x10 2 1:0,0,4,4
cp other/00001.png truth/a/00001.png
cp -r truth pred
"$DENSEVAL" jf --truth truth --pred pred
