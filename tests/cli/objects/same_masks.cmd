. "$CLI/objects/targets.sh"
"$DENSEVAL" objects --targets targets.json --truth truth --pred truth --json | $JSON categories.all.mean same
