. "$CLI/dining/judges.sh"
"$DENSEVAL" dining vqa --truth truth.jsonl --pred pred.jsonl
