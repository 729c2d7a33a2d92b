# Lone surrogates are characters to Python; U+001C to U+001F are white space around a text, but not around a number.
. "$CLI/dining/dishes.sh"
for i in 1 2 3 4; do echo "{\"ground_truth\": $(nutrients 1 1 1 1)}"; done >truth.jsonl
{
    echo '{"idx": 0, "model_pred": "\u001c{\"calories\": 1, \"protein\": 1, \"carbohydrates\": 1, \"fat\": 1, \"x\": \"\ud800\"}"}'
    echo '{"idx": 1, "model_pred": "{\"calories\": \"\\u001c1\", \"protein\": 1, \"carbohydrates\": 1, \"fat\": 1}"}'
    echo '{"idx": 2, "model_pred": "{\"calories\": \"\\u00851\", \"protein\": 1, \"carbohydrates\": 1, \"fat\": 1}"}'
    echo '{"idx": 3, "model_pred": "{\"calories\": \"\\u001f\uff11\", \"protein\": 1, \"carbohydrates\": 1, \"fat\": 1}"}'
} >pred.jsonl
"$DENSEVAL" dining nutrition --truth truth.jsonl --pred pred.jsonl --scoring compat --per-record out.csv >/dev/null
cut -d, -f1-7 out.csv
