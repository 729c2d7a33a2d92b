# SEG-06: the value and how many pixels have it are named; of the truth, then of the prediction.
. "$CLI/iou/maps.sh"
"$DENSEVAL" iou --truth truth --pred pred --classes 2
echo $?
for invalid in drop false-positive; do
    "$DENSEVAL" iou --truth truth --pred pred --classes 3 --ignore-pixels none --invalid-labels $invalid --json | $JSON scored_pixels dropped_pixels classes.0.predicted_pixels
done
make truth 2 1:0,0,2,4@0-0
"$DENSEVAL" iou --truth truth --pred pred --classes 2
make truth 2 255:0,0,1,8@1-1
"$DENSEVAL" iou --truth pred --pred truth --classes 3
"$DENSEVAL" iou --truth pred --pred truth --classes 3 --ignore-pixels none
