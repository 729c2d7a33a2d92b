. "$CLI/dining/dishes.sh"
"$DENSEVAL" dining classification --truth truth.jsonl --pred absent.jsonl
