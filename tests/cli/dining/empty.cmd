# No prediction is no score, unless that is allowed: then everything is missing.
. "$CLI/dining/dishes.sh"
printf '\n  \n' >pred.jsonl
"$DENSEVAL" dining classification --truth truth.jsonl --pred pred.jsonl
echo $?
"$DENSEVAL" dining classification --truth truth.jsonl --pred pred.jsonl --allow-empty --json >out.json
$JSON accuracy accuracy_answered coverage missing <out.json
"$DENSEVAL" dining classification --truth pred.jsonl --pred truth.jsonl --allow-empty --json 2>/dev/null >out.json
$JSON accuracy records <out.json
echo "{\"ground_truth\": $(nutrients 100 10 20 5)}" >truth.jsonl
"$DENSEVAL" dining nutrition --truth truth.jsonl --pred pred.jsonl --allow-empty --json >out.json
$JSON nutrients.calories valid_only.nutrients.calories average_mape <out.json
"$DENSEVAL" dining vqa --truth truth.jsonl --pred pred.jsonl --allow-empty --json | $JSON accuracy accuracy_judged missing
