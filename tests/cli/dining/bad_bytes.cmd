# Lines that are no JSON: a NUL, bytes that are no UTF-8, nested too deep; each is named, the others count.
. "$CLI/dining/dishes.sh"
nest() { printf '{"idx": %s, "model_pred": "B", "x": ' "$1" && printf "%$2s" '' | tr ' ' '[' && printf "%$2s" '' | tr ' ' ']' && echo '}'; }
{
    printf '{"idx": 0, "model_pred": "B\0"}\n\0{"idx": 1, "model_pred": "B"}\n{"idx": 2, "model_pred": "B"}\0\n'
    printf '{"idx": 3, "model_pred": "B\377"}\n{"idx": 4, "model_pred": "\355\240\200"}\n'
    nest 5 1000
    nest 6 999
} >pred.jsonl
"$DENSEVAL" dining classification --truth truth.jsonl --pred pred.jsonl --json | $JSON correct missing join.bad_lines
mkdir folder
"$DENSEVAL" dining classification --truth folder --pred pred.jsonl
echo $?
"$DENSEVAL" dining classification --truth truth.jsonl --pred truth.jsonl --allow-empty --quiet >/dev/full
