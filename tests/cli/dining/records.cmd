# What each question's answer was, beside what it should have been.
. "$CLI/dining/judges.sh"
echo '{"ground_truth": ""}' >>truth.jsonl
"$DENSEVAL" dining vqa --truth truth.jsonl --pred pred.jsonl --judge two.jsonl,one.jsonl --per-record vqa.csv --quiet >/dev/null
cat vqa.csv
. "$CLI/dining/dishes.sh"
echo "{\"ground_truth\": $(nutrients 100 10 null 10)}" >truth.jsonl
echo "{\"ground_truth\": $(nutrients 1 2 3 4)}" >>truth.jsonl
echo "{\"idx\": 0, \"model_pred\": $(nutrients 1 2 3 4)}" >pred.jsonl
score() { "$DENSEVAL" dining nutrition --truth truth.jsonl --pred pred.jsonl "$@"; }
score --per-record nutrition.csv --group-by ground_truth | sed -n '/ground_truth/,$p'
cat nutrition.csv
