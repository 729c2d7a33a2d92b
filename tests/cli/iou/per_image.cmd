. "$CLI/iou/maps.sh"
iou --per-image images.csv --quiet >table
tail -1 table
cat images.csv
iou --per-image images.csv
echo $?
iou --per-image images.csv --force --quiet >table
