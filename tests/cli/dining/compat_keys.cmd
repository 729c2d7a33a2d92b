# Keys of a Python dictionary: which are the same, which count, and which verdict of a key stays.
. "$CLI/dining/judges.sh"
keys() { # IDX...
    for idx in "$@"; do printf '{"idx": %s, "model_pred": "B", "eval_match": true}\n' "$idx"; done >keys.jsonl
    "$DENSEVAL" dining vqa --truth truth.jsonl --pred keys.jsonl --scoring compat --allow-empty --quiet --json >out.json
    $JSON reference <out.json
}
keys '"a"' '"\u0061"' '"b"'
keys null '"null"' NaN '"NaN"' NaN
keys Infinity 1e400 1e999 '"1e400"' -Infinity
keys 9007199254740992 9007199254740993 9007199254740992.0 18446744073709551616 18446744073709551617
keys 0 0.0 -0 1e-400 false '"0"' '[0]' '{}'
{ # the last of one file, and of two files the first one
    printf '{"idx": %s, "eval_match": %s}\n' 0 false 0 true 500 true 500 false 1 false
    echo '{"idx": 0}'
} >one.jsonl
printf '{"idx": %s, "eval_match": %s}\n' 1 true 2 true 0 false >two.jsonl
for judges in one.jsonl one.jsonl,two.jsonl two.jsonl,one.jsonl; do
    "$DENSEVAL" dining vqa --truth truth.jsonl --pred pred.jsonl --judge $judges --scoring compat --json >out.json
    $JSON reference <out.json
done
