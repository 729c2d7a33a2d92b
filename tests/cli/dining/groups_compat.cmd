. "$CLI/dining/dishes.sh"
"$DENSEVAL" dining classification --truth truth.jsonl --pred truth.jsonl --group-by cuisine --scoring compat
