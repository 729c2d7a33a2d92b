# Two sets of answers: 6 and 3 right of 10, 4 in the first alone, 1 in the second alone: p = 2 (1 + 5) / 32.
. "$CLI/dining/dishes.sh"
printf '{"idx": %d, "model_pred": "B"}\n' 0 1 2 3 4 5 >this.jsonl
printf '{"idx": %d, "model_pred": "B"}\n' 0 1 9 >that.jsonl
"$DENSEVAL" dining classification --truth truth.jsonl --pred this.jsonl --against that.jsonl --bootstrap 200
"$DENSEVAL" dining classification --truth truth.jsonl --pred this.jsonl --against that.jsonl --json >out.json
$JSON against.mcnemar settings.bootstrap settings.seed <out.json
$JSON against.differences <out.json >one
"$DENSEVAL" dining classification --truth truth.jsonl --pred this.jsonl --against that.jsonl --json --threads 2 |
    $JSON against.differences | cmp - one
