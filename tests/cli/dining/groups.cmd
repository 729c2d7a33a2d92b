# Groups of a field, ranges of numbers, and a field that is not there.
. "$CLI/dining/dishes.sh"
printf '{"idx": %d, "model_pred": "(B)"}\n' 0 1 2 4 >pred.jsonl
"$DENSEVAL" dining classification --truth truth.jsonl --pred pred.jsonl --group-by cuisine,num_images,none --ranges 2,4
"$DENSEVAL" dining classification --truth truth.jsonl --pred pred.jsonl --group-by cuisine --json | $JSON groups
