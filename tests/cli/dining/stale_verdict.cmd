# A verdict on another answer than the one of the predictions is none.
. "$CLI/dining/judges.sh"
sed -i 's/answer 3/another answer/' pred.jsonl
"$DENSEVAL" dining vqa --truth truth.jsonl --pred pred.jsonl --judge two.jsonl --json >out.json
$JSON yes no not_judged judges.0.stale <out.json
