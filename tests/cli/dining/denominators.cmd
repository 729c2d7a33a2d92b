# Two right answers of ten: 0.2, and 1.0 by the reference.
. "$CLI/dining/dishes.sh"
printf '{"idx": %d, "model_pred": "B"}\n' 0 1 >pred.jsonl
for scoring in strict compat; do
    "$DENSEVAL" dining classification --truth truth.jsonl --pred pred.jsonl --scoring $scoring
done
printf '{"idx": %s, "model_pred": "B"}\n' 0 5 9 >pred.jsonl
for scoring in strict compat; do
    "$DENSEVAL" dining classification --truth truth.jsonl --pred pred.jsonl --scoring $scoring | head -1
done
printf '{"idx": %s, "model_pred": "B"}\n' 0 5 9 '"3"' >pred.jsonl
"$DENSEVAL" dining classification --truth truth.jsonl --pred pred.jsonl
