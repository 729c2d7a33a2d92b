printf '{"ground_truth": "%s"}\n' A A B B >truth.jsonl
printf '{"idx": %d, "model_pred": "%s"}\n' 0 A 1 B 2 B 3 dunno >pred.jsonl
"$DENSEVAL" dining classification --truth truth.jsonl --pred pred.jsonl --json >out.json
$JSON schema command settings options.0 options.1 confusion <out.json
