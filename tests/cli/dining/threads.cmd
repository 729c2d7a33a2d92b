# Odd lines everywhere, and several blocks of them: results, lists and messages are the same for every number of threads.
for i in $(seq 0 1999); do
    printf '{"ground_truth": "%s", "cuisine": "c%d", "num_images": %d, "prompt": "Which dish is this? 是红烧肉吗？"}\n' B $((i % 5)) $((i % 4))
done >truth.jsonl
for i in $(seq 0 1999); do
    case $((i % 37)) in
    3) echo ;;
    5) printf '{"idx": "%d", "model_pred": "(B)"}\r\n' "$i" ;;
    8) printf '{"idx": %d, "model_pred": "A", "gt_answer": "C"}\n' $((i - 1)) ;;
    11) echo '{"model_pred": "B"}' ;;
    17) printf '{"idx": %d, "model_pred": "B"\n' "$i" ;;
    21) printf '{"idx": %d, "model_pred": "B"}\n' $((i + 1900)) ;;
    25) printf '{"idx": %d, "model_pred": "__INFER_ERROR__"}\n' "$i" ;;
    29) printf '{"idx": %d, "model_pred": {"option": "B"}}\n' "$i" ;;
    *) printf '{"idx": %d, "model_pred": "答案是 B\\n", "model_full_pred": "<think>\\u7ea2 \\"A\\"</think> 答案是 B"}\n' "$i" ;;
    esac
done >pred.jsonl
grep -v option pred.jsonl >texts.jsonl # the reference dies of what is no text
dining() { "$DENSEVAL" dining classification --truth truth.jsonl --force "$@"; }
for threads in 1 2 7; do
    dining --pred texts.jsonl --threads $threads --scoring compat >compat$threads.txt 2>compat$threads.err
    cmp compat1.txt compat$threads.txt && cmp compat1.err compat$threads.err
    dining --pred pred.jsonl --threads $threads --group-by cuisine,num_images --ranges 2 --per-record records.csv \
        --json >json.txt 2>strict$threads.err
    $JSON accuracy confusion key_conflict groups join inputs <json.txt >strict$threads.txt
    cat records.csv >>strict$threads.txt
    cmp strict1.txt strict$threads.txt && cmp strict1.err strict$threads.err
done
cat compat1.txt
$JSON accuracy missing <json.txt
tail -n 5 strict1.err
$JSON join <json.txt | tr -d ' \n' | grep -o '[0-9]*]' # the last line of each list
