# Ten questions whose right option is B, and two dishes.
for i in 0 1 2 3 4 5 6 7 8 9; do
    echo "{\"ground_truth\": \"B\", \"cuisine\": \"c$((i % 2))\", \"num_images\": $i}"
done >truth.jsonl
nutrients() { printf '{"calories": %s, "protein": %s, "carbohydrates": %s, "fat": %s}' "$@"; }
