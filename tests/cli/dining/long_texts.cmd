# A text of megabytes without any word that is looked for, and a judge of many bad lines.
. "$CLI/dining/judges.sh"
long() { head -c 8000000 /dev/zero | tr '\0' "$1"; }
{
    printf '{"idx": 0, "model_pred": "answer 0", "eval_result": "' && long N && echo '"}'
    head -n 9 two.jsonl | tail -n 8
    for i in $(seq 30); do echo bad; done
} >judge.jsonl
"$DENSEVAL" dining vqa --truth truth.jsonl --pred pred.jsonl --judge judge.jsonl --scoring compat
echo "{\"ground_truth\": {\"calories\": 1, \"protein\": 1, \"carbohydrates\": 1, \"fat\": 1}}" >truth.jsonl
{ printf '{"idx": 0, "model_pred": {"calories": "1 ' && long T && echo '", "fat": 1}}'; } >pred.jsonl
"$DENSEVAL" dining nutrition --truth truth.jsonl --pred pred.jsonl --numbers lenient --json >out.json
$JSON repairs parsed <out.json
