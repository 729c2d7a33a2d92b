# Units and other names: nothing to strict reading, numbers to the lenient one, and each repair is counted.
. "$CLI/dining/dishes.sh"
for i in 0 1 2 3 4 5; do echo "{\"ground_truth\": $(nutrients 100 10 20 10)}"; done >truth.jsonl
{
    echo "{\"idx\": 0, \"model_pred\": $(nutrients '"418.4 kJ"' '"10 g"' '"20,000 mg"' '"~10"')}"
    echo "{\"idx\": 1, \"model_pred\": $(nutrients '"100-200"' 10 20 '"12%"')}"
    echo '{"idx": 2, "model_pred": "{\"Calories\": 100, \"protein_g\": 10, \"carbs\": 20, \"fat\": 10}"}'
    echo "{\"idx\": 3, \"model_pred\": $(nutrients 100 10 20 10)}"
    echo '{"idx": 4, "model_pred": "100 kcal"}'
} >pred.jsonl
score() { "$DENSEVAL" dining nutrition --truth truth.jsonl --pred pred.jsonl "$@"; }
score | sed -n '/records/,$p'
score --numbers lenient --per-record records.csv
cat records.csv
score --numbers lenient --json | $JSON settings.numbers repairs valid_only.nutrients.fat.n unparsable
score --numbers lenient --scoring compat
echo $?
"$DENSEVAL" dining vqa --truth truth.jsonl --pred pred.jsonl --numbers lenient
