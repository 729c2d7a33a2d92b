# A truth of another task scores nothing; the message names the task that it is of.
. "$CLI/dining/dishes.sh"
echo '{"idx": 0, "model_pred": "B"}' >pred.jsonl
echo '{"ground_truth": "It is fried."}' >vqa.jsonl
printf '{"ground_truth": %s}\n' "$(nutrients 1 2 3 4)" '"{\"fat\": 1}"' >nutrition.jsonl
score() { "$DENSEVAL" dining "$1" --truth "$2" --pred pred.jsonl $3; echo $?; }
score nutrition truth.jsonl
score nutrition vqa.jsonl
score classification vqa.jsonl
score classification nutrition.jsonl
score vqa nutrition.jsonl
printf '{"ground_truth": {}}\n' >empty.jsonl
score nutrition empty.jsonl
score classification vqa.jsonl --allow-empty
score classification vqa.jsonl "--scoring compat"
for i in $(seq 300); do echo "{\"ground_truth\": $(nutrients 1 2 3 4)}"; done >nutrition.jsonl
score classification nutrition.jsonl
score classification nutrition.jsonl "--threads 2"
