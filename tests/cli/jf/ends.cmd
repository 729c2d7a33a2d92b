# Perfect but for an empty last frame.
"$PYTHON" "$CLI/make_masks.py" truth/a 10x10 5 1:0,0,4,4
"$PYTHON" "$CLI/make_masks.py" pred/a 10x10 5 1:0,0,4,4@0-3
"$DENSEVAL" jf --truth truth --pred pred --json | $JSON j_mean settings.ends
"$DENSEVAL" jf --truth truth --pred pred --ends none --json | $JSON j_mean settings.ends
"$DENSEVAL" jf --truth truth --pred pred --protocol davis2017-unsup --json | $JSON j_mean settings.ends
"$DENSEVAL" jf --truth truth --pred pred --protocol davis2016 --json | $JSON j_mean settings.ends
"$DENSEVAL" jf --truth truth --pred pred --protocol davis2016 --ends protocol --json | $JSON j_mean settings.ends
