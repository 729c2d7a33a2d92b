# Missing and unparsable cost the same: the truth, and 100 %.
. "$CLI/dining/dishes.sh"
for i in 0 1 2; do echo "{\"ground_truth\": $(nutrients 100 100 100 100)}"; done >truth.jsonl
{
    echo "{\"idx\": 0, \"model_pred\": $(nutrients 250 250 250 250)}"
    echo '{"idx": 1, "model_pred": "n/a"}'
} >pred.jsonl
"$DENSEVAL" dining nutrition --truth truth.jsonl --pred pred.jsonl
"$DENSEVAL" dining nutrition --truth truth.jsonl --pred pred.jsonl --json >out.json
$JSON schema nutrients.calories valid_only.nutrients.calories average_mape unparsable missing <out.json
