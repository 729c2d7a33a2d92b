# Ten verdicts of which two calls failed: six are right, and eight may be.
. "$CLI/dining/judges.sh"
"$DENSEVAL" dining vqa --truth truth.jsonl --pred pred.jsonl --judge one.jsonl
"$DENSEVAL" dining vqa --truth truth.jsonl --pred one.jsonl --json | $JSON accuracy_low accuracy_high accuracy_judged not_judged judges.0
