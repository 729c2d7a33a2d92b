# A byte-order mark, CRLF, and a last line that a killed job cut: the cut record is missing.
printf '{"ground_truth": "%s"}\n' A A A >truth.jsonl
printf '\357\273\277{"idx": 0, "model_pred": "A"}\r\n\r\n{"idx": 1, "model_pred": "A"}\r\n{"idx": 2, "model_p' >pred.jsonl
"$DENSEVAL" dining classification --truth truth.jsonl --pred pred.jsonl --json >out.json
$JSON accuracy records missing join <out.json
