# Raw output: the reference cleans it by the name of the model before it stores it, and scores it as it stands.
printf '{"ground_truth": "B"}\n{"ground_truth": "B"}\n' >truth.jsonl
printf '{"idx": %d, "model_pred": "%s"}\n' 0 '<think>A or B</think>\n\nB' 1 '\\boxed{B} of A' >pred.jsonl
score() { "$DENSEVAL" dining classification --truth truth.jsonl --pred pred.jsonl "$@"; }
score --scoring compat
for model in mimo-vl-7b-rl-2508 other; do
    score --scoring compat --clean $model --json | $JSON settings.clean accuracy
done
score --clean mimo-vl-7b-rl-2508
echo $?
score --scoring compat --clean gpt-4o
