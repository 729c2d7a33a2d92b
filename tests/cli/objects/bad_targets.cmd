. "$CLI/objects/targets.sh"
sed -i 's/"small"/"tiny"/' targets.json
"$DENSEVAL" objects --targets targets.json --truth truth --pred pred
