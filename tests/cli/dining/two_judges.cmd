# Raw agreement 6 of 8; by chance 6/8 * 4/8 + 2/8 * 4/8 = 1/2, so that kappa is 1/2.
. "$CLI/dining/judges.sh"
"$DENSEVAL" dining vqa --truth truth.jsonl --pred pred.jsonl --judge one.jsonl,two.jsonl
"$DENSEVAL" dining vqa --truth truth.jsonl --pred pred.jsonl --judge one.jsonl,two.jsonl --json | $JSON settings agreements.0
