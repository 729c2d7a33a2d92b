# A key that is no option A to H: no answer is right, and that is said.
printf '{"ground_truth": "%s"}\n' AB I b >truth.jsonl
printf '{"idx": %d, "model_pred": "%s"}\n' 0 A 1 I 2 B >pred.jsonl
"$DENSEVAL" dining classification --truth truth.jsonl --pred pred.jsonl --json | $JSON accuracy truth_unreadable
