# An index that is a text is its digits, however they are written; strict.
. "$CLI/dining/dishes.sh"
printf '{"idx": %s, "model_pred": "B"}\n' '"\u0031"' '"00000000000000000000002"' '"-0"' '" 3"' '""' 1e0 18446744073709551620 '"\u0663"' >pred.jsonl
"$DENSEVAL" dining classification --truth truth.jsonl --pred pred.jsonl --quiet --json >out.json
$JSON correct join <out.json
