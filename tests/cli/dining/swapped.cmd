# Predictions in the place of the truth.
. "$CLI/dining/dishes.sh"
printf '{"idx": %d, "model_pred": "B"}\n' 0 1 >pred.jsonl
for task in classification nutrition vqa; do
    "$DENSEVAL" dining $task --truth pred.jsonl --pred truth.jsonl
    echo $?
done
printf '{"ground_truth": "A"}\n{"model_pred": "A"}\n' >truth.jsonl # a truth all the same, of which a line is bad
"$DENSEVAL" dining classification --truth truth.jsonl --pred pred.jsonl
