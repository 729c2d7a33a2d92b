# What is odd about the truth is said once, and of one file of answers, too; verdicts on --against stand in its file.
printf '{"ground_truth": "%s"}\n' B I >truth.jsonl
printf '{"idx": %d, "model_pred": "B"}\n' 0 7 >pred.jsonl
printf '{"idx": %d, "model_pred": "B"}\n' 0 8 >other.jsonl
printf '{"idx": 0, "model_pred": "B", "eval_result": "yes"}\n' >judged.jsonl
for against in other pred; do
    "$DENSEVAL" dining classification --truth truth.jsonl --pred pred.jsonl --against $against.jsonl >/dev/null
done
"$DENSEVAL" dining vqa --truth truth.jsonl --pred judged.jsonl --against other.jsonl
