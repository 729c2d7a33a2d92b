# The same answers differ in nothing, in no resample.
. "$CLI/dining/dishes.sh"
for i in 0 100 200; do echo "{\"ground_truth\": $(nutrients $i $i $i $i)}"; done >truth.jsonl
echo "{\"idx\": 1, \"model_pred\": $(nutrients 110 110 110 110)}" >pred.jsonl
"$DENSEVAL" dining nutrition --truth truth.jsonl --pred pred.jsonl --against pred.jsonl | sed -n '/against/,$p'
echo "{\"idx\": 1, \"model_pred\": $(nutrients 90 120 120 120)}" >other.jsonl
"$DENSEVAL" dining nutrition --truth truth.jsonl --pred pred.jsonl --against other.jsonl --bootstrap 0 | sed -n '/against/,$p'
