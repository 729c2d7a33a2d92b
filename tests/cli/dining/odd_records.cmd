# Duplicate, unknown, missing and textual indices, each named with its line.
. "$CLI/dining/dishes.sh"
{
    printf '{"idx": %s, "model_pred": "B"}\n' 0 0 10 -1 '"4"' 1.5 null
    echo '{"model_pred": "B"}'
    echo '[1]'
} >pred.jsonl
"$DENSEVAL" dining classification --truth truth.jsonl --pred pred.jsonl --json >out.json
$JSON join correct missing <out.json
