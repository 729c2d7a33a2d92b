# Groups of values that are no plain text; texts that JSON cannot hold as they are keep their escapes.
printf '{"ground_truth": "B", "of": %s}\n' '"\ud800"' '"a\u0000b"' '"a"' '{"x": [1]}' true '""' null 1.0 1 '"1"' >truth.jsonl
printf '{"ground_truth": "B"}\n' >>truth.jsonl
echo '{"idx": 0, "model_pred": "B"}' >pred.jsonl
score() { "$DENSEVAL" dining classification --truth truth.jsonl --pred pred.jsonl "$@"; }
score --group-by of | sed 1,5d
score --group-by of --json | $JSON groups.of >/dev/null && echo sound
score --group-by "$(printf 'of,\377')" 2>/dev/null
