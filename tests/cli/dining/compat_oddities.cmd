# What only Python does: null is a key, a list is none, U+3000 is white space, and what is not looked at counts for nothing.
. "$CLI/dining/dishes.sh"
{
    echo '{"idx": null, "model_pred": "B"}'
    echo '{"idx": [0], "model_pred": "B"}'
    printf '\343\200\200{"idx": 0, "model_pred": "B"}\n\343\200\200\n'
} >pred.jsonl
"$DENSEVAL" dining classification --truth truth.jsonl --pred pred.jsonl --scoring compat --json >out.json
$JSON accuracy reference join.bad_lines <out.json
# Without a prediction the truth is not read, with one its answer is not; nothing (null, "") is an empty object.
printf '{"ground_truth": %s}\n' '"[1]"' 3 '""' null >truth.jsonl
printf '{"idx": %d, "model_pred": "n/a"}\n' 1 2 8 9 >pred.jsonl
"$DENSEVAL" dining nutrition --truth truth.jsonl --pred pred.jsonl --scoring compat --json >out.json
$JSON unparsable reference <out.json
crash() { "$DENSEVAL" dining "$1" --truth truth.jsonl --pred pred.jsonl --scoring compat; echo $?; }
echo "{\"ground_truth\": $(nutrients 1e200 1 1 1)}" >truth.jsonl
echo '{"idx": 0, "model_pred": ""}' >pred.jsonl
crash nutrition
echo "{\"ground_truth\": $(nutrients "1$(printf '%0400d' 0)" 1 1 1)}" >truth.jsonl
crash nutrition
printf '{"ground_truth": "B"}\n' >truth.jsonl
printf '{"idx": 0, "model_pred": "B"}\n\377\n' >pred.jsonl
crash classification
printf '\357\273\277{"ground_truth": "B"}\n' >truth.jsonl
crash classification
