# Of the prediction, then of the truth against the file of targets.
. "$CLI/objects/targets.sh"
"$PYTHON" "$CLI/make_masks.py" pred/car 4x9 3 1:0,0,4,4
"$DENSEVAL" objects --targets targets.json --truth truth --pred pred
echo $?
"$PYTHON" "$CLI/make_masks.py" pred/car 4x8 3 1:0,0,4,4
sed -i 's/"width": 8/"width": 9/' targets.json
"$DENSEVAL" objects --targets targets.json --truth truth --pred pred --quiet
