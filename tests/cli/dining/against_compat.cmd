. "$CLI/dining/dishes.sh"
"$DENSEVAL" dining classification --truth truth.jsonl --pred truth.jsonl --against truth.jsonl --scoring compat
