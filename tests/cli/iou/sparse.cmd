# More classes than a matrix is made for: the same scores, from the pairs that occur.
. "$CLI/iou/maps.sh"
"$DENSEVAL" iou --truth truth --pred pred --classes 60000 --json >out.json
$JSON miou pixel_accuracy confusion_cells <out.json
"$DENSEVAL" iou --truth truth --pred pred --classes 60000 | tail -2
"$PYTHON" "$CLI/make_masks.py" truth 4x8 2 65000:0,0,2,4 --store gray16
cp truth/*.png pred
"$DENSEVAL" iou --truth truth --pred pred --classes 65535 --json --quiet | $JSON miou confusion_cells same
