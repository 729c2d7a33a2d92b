# Ten answers; two judges, who agree on six of eight.
for i in 0 1 2 3 4 5 6 7 8 9; do echo '{"ground_truth": "fried"}'; done >truth.jsonl
judge() { # NAME VERDICT...
    name=$1
    shift
    i=0
    for verdict in "$@"; do
        printf '{"idx": %d, "model_pred": "answer %d", "eval_result": "%s"}\n' $i $i "$verdict"
        i=$((i + 1))
    done >"$name"
}
judge one.jsonl Yes Yes Yes Yes Yes Yes No No __EVAL_ERROR__ __EVAL_ERROR__
judge two.jsonl Yes Yes Yes Yes No No No No Yes Yes
for i in 0 1 2 3 4 5 6 7 8 9; do printf '{"idx": %d, "model_pred": "answer %d"}\n' $i $i; done >pred.jsonl
