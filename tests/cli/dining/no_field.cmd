# A field that no question has is a slip; one that a single question has, be it null, is none.
. "$CLI/dining/dishes.sh"
printf '{"idx": %d, "model_pred": "B"}\n' 0 1 >pred.jsonl
echo '{"ground_truth": "B", "late": null, "cuisines": 1}' >>truth.jsonl
for fields in cuisine,cuisne late num_image cuisins; do
    "$DENSEVAL" dining classification --truth truth.jsonl --pred pred.jsonl --group-by $fields --threads 2 >/dev/null
    echo $?
done
