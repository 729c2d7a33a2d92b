# What is read from an answer, and where a reader by its first letter goes wrong.
n=0
while read -r answer; do
    echo '{"ground_truth": "B"}' >>truth.jsonl
    printf '{"idx": %d, "model_pred": "%s"}\n' $n "$answer" >>pred.jsonl
    n=$((n + 1))
done <<'ANSWERS'
The answer is B
Answer: C
option d
Ｂ
A or B
<think>A</think>B
<think>B
\\boxed{\\text{B}}
I think it looks like rice
ANSWERS
for scoring in strict compat; do
    "$DENSEVAL" dining classification --truth truth.jsonl --pred pred.jsonl --scoring $scoring --per-record $scoring.csv >/dev/null
    cat $scoring.csv
done
