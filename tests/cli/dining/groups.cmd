# Groups of a field, ranges of numbers, and a field that one question has.
. "$CLI/dining/dishes.sh"
sed -i '1s/}$/, "rare": null}/; 2s/}$/, "rare": "x"}/' truth.jsonl
printf '{"idx": %d, "model_pred": "(B)"}\n' 0 1 2 4 >pred.jsonl
"$DENSEVAL" dining classification --truth truth.jsonl --pred pred.jsonl --group-by cuisine,num_images,rare --ranges 2,4
"$DENSEVAL" dining classification --truth truth.jsonl --pred pred.jsonl --group-by cuisine --json | $JSON groups
