# A line a class in the order of ids, those in no label map too; empty where 0 / 0.
. "$CLI/iou/maps.sh"
printf 'rest\ncat, or not\ndog\nbird\n' >names
"$DENSEVAL" iou --truth truth --pred pred --class-names names --per-class classes.csv --quiet >table
tail -1 table
cat classes.csv
"$DENSEVAL" iou --truth truth --pred pred --classes 4 --absent one --boundary --per-class more.csv --json --quiet | $JSON miou boundary.iou
cat more.csv
make truth 2
iou --per-class only_predicted.csv --quiet >table
tail -2 only_predicted.csv
iou --per-class more.csv
echo $?
iou --per-class pred/classes.csv
iou --per-class new.csv --per-image new.csv
"$DENSEVAL" iou --splits names,names --per-class new.csv
iou --per-class more.csv --force --quiet >table
