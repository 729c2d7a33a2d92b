. "$CLI/objects/targets.sh"
"$DENSEVAL" objects --targets targets.json --truth truth --pred pred
