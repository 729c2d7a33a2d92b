# What ends a line for Python, and what is no line for it: a CR alone, a byte-order mark alone.
. "$CLI/dining/dishes.sh"
reference() {
    "$DENSEVAL" dining "$@" --truth truth.jsonl --pred pred.jsonl --scoring compat --json >out.json
    $JSON reference <out.json
}
printf '{"idx": 0, "model_pred": "B"}\r{"idx": 1, "model_pred": "B"}\r\r' >pred.jsonl
reference classification
printf '{"idx": 0,\r "model_pred": "B"}\n{"idx": 1, "model_pred": "B"}\r\n' >pred.jsonl # two halves
reference classification
printf '\357\273\277\n{"idx": 1, "model_pred": "B"}\n' >pred.jsonl
reference classification
printf '{"idx": 0, "eval_match": true}\r\343\200\200{"idx": 1, "eval_result": "no"}\n' >pred.jsonl
reference vqa
