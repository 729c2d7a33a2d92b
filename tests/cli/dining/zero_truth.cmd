# A truth of 0 has no percentage.
. "$CLI/dining/dishes.sh"
for i in 0 100; do echo "{\"ground_truth\": $(nutrients $i $i $i $i)}"; done >truth.jsonl
printf '{"idx": 0, "model_pred": %s}\n{"idx": 1, "model_pred": %s}\n' "$(nutrients 10 10 10 10)" "$(nutrients 110 110 110 110)" >pred.jsonl
"$DENSEVAL" dining nutrition --truth truth.jsonl --pred pred.jsonl --json | $JSON nutrients.calories
