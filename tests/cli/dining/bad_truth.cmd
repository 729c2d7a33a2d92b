# A truth with bad lines is no denominator.
printf '%s\n' '{"ground_truth": "A"}' '{"ground_truth": 3}' '' '{"ground_truth"' >truth.jsonl
echo '{"idx": 0, "model_pred": "A"}' >pred.jsonl
"$DENSEVAL" dining classification --truth truth.jsonl --pred pred.jsonl
