"$PYTHON" "$CLI/make_masks.py" truth/a 10x10 2 1:0,0,4,4
"$PYTHON" "$CLI/make_masks.py" pred/a 10x10 2 1:0,0,4,3
"$DENSEVAL" jf --truth truth --pred pred --quiet
echo $?
"$DENSEVAL" jf --truth truth --pred pred --quiet --allow-empty --json | $JSON jf_mean j_decay objects settings.allow_empty
