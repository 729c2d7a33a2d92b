# Indexed, gray of 8 and 16 bits; colours only on request.
"$PYTHON" "$CLI/make_masks.py" truth/a 12x12 3 1:0,0,4,4 2:5,5,4,4 3:9,9,2,2
for store in indexed2 gray gray16; do
    "$PYTHON" "$CLI/make_masks.py" pred/a 12x12 3 1:0,0,4,4 2:5,5,4,4 3:9,9,2,2 --store $store
    "$DENSEVAL" jf --truth truth --pred pred --json --quiet | $JSON jf_mean
done
"$PYTHON" "$CLI/make_masks.py" pred/a 12x12 3 1:0,0,4,4 2:5,5,4,4 3:9,9,2,2 --store rgb
"$DENSEVAL" jf --truth truth --pred pred --palette voc --json --quiet | $JSON jf_mean settings.palette
"$DENSEVAL" jf --truth truth --pred pred --quiet
