# Zero energy with protein, and kJ that were taken for kcal.
. "$CLI/dining/dishes.sh"
printf '{"ground_truth": %s}\n' "$(nutrients 0 50 0 0)" "$(nutrients 690.36 10 20 5)" "$(nutrients 165 10 20 5)" >truth.jsonl
printf '{"idx": 2, "model_pred": %s}\n' "$(nutrients 165 10 20 5)" >pred.jsonl
"$DENSEVAL" dining nutrition --truth truth.jsonl --pred pred.jsonl --json >out.json
$JSON atwater.truth.checked atwater.truth.flagged atwater.truth.look_like_kj atwater.truth.dishes.0 atwater.truth.dishes.1 \
    atwater.predictions.flagged <out.json
