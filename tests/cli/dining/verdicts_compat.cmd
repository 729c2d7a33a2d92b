# The reference keeps what it finds, and "false" is true to it.
. "$CLI/dining/judges.sh"
printf '{"idx": 0, "eval_match": "false"}\n{"idx": 500, "eval_match": true}\n{"idx": 1, "eval_match": false}\n' >judged.jsonl
"$DENSEVAL" dining vqa --truth truth.jsonl --pred pred.jsonl --judge judged.jsonl --scoring compat
"$DENSEVAL" dining vqa --truth truth.jsonl --pred pred.jsonl --judge judged.jsonl --scoring compat --json | $JSON accuracy reference
