. "$CLI/iou/maps.sh"
"$DENSEVAL" iou --truth truth --pred pred
iou --exclude-classes 3
iou --exclude-classes 0,1,2
iou --ignore-pixels 255,x
iou --protocol foodseg103
iou --per-image pred/out.csv
"$DENSEVAL" iou --truth truth --pred pred --classes 65536
"$DENSEVAL" iou --truth nowhere --pred pred --classes 3
"$DENSEVAL" iou --truth truth --classes 3
"$DENSEVAL" iou --classes 3
