# The table of records never takes the place of an input: a judge's file is one, too.
. "$CLI/dining/judges.sh"
cp two.jsonl kept.jsonl
refused() {
    "$DENSEVAL" dining vqa --truth truth.jsonl --pred pred.jsonl --force "$@"
    echo $?
}
refused --judge one.jsonl,two.jsonl --per-record two.jsonl
refused --judge one.jsonl --per-record ./one.jsonl
refused --judge one.jsonl --against two.jsonl --per-record two.jsonl
cmp two.jsonl kept.jsonl
